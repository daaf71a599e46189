"""Functions and classes of public code, written as people paste them."""

NUMPY = (
    """
def space_to_depth(x, block_size):
    n, h, w, c = x.shape
    assert h % block_size == 0 and w % block_size == 0
    x = x.reshape(n, h // block_size, block_size, w // block_size, block_size, c)
    return x.transpose(0, 1, 3, 2, 4, 5).reshape(n, h // block_size, w // block_size, -1)
""",
    """
def depth_to_space(x, r=2):
    n, h, w, c = x.shape
    out = np.reshape(x, (n, h, w, r, r, c // (r * r)))
    out = np.swapaxes(out, 2, 3)
    return np.reshape(out, (n, h * r, w * r, c // (r * r)))
""",
    """
def patches(img, size):
    rows = []
    for i in range(0, img.shape[0] - size + 1, size):
        for j in range(0, img.shape[1] - size + 1, size):
            rows.append(img[i:i + size, j:j + size])
    return np.stack(rows)
""",
    """
def sliding(a, window, step=1):
    n = (len(a) - window) // step + 1
    return np.stack([a[i * step:i * step + window] for i in range(n)], axis=0)
""",
    """
def im2col(x, kernel, stride=1, pad=0):
    n, c, h, w = x.shape
    out_h = (h + 2 * pad - kernel) // stride + 1
    out_w = (w + 2 * pad - kernel) // stride + 1
    img = np.pad(x, [(0, 0), (0, 0), (pad, pad), (pad, pad)], 'constant')
    col = np.zeros((n, c, kernel, kernel, out_h, out_w))
    for y in range(kernel):
        y_max = y + stride * out_h
        for z in range(kernel):
            z_max = z + stride * out_w
            col[:, :, y, z, :, :] = img[:, :, y:y_max:stride, z:z_max:stride]
    return col.transpose(0, 4, 5, 1, 2, 3).reshape(n * out_h * out_w, -1)
""",
    """
def to_nchw(x, channels_last=True):
    if channels_last:
        return np.moveaxis(x, -1, 1)
    return x
""",
    """
def rotate(x, k):
    k = k % 4
    if k == 0:
        return x
    elif k == 1:
        return x.T[::-1]
    elif k == 2:
        return x[::-1, ::-1]
    else:
        return x.T[:, ::-1]
""",
    """
def zigzag(block):
    rows, cols = block.shape
    lines = [[] for _ in range(rows + cols - 1)]
    for i in range(rows):
        for j in range(cols):
            total = i + j
            if total % 2 == 0:
                lines[total].insert(0, block[i][j])
            else:
                lines[total].append(block[i][j])
    return np.array([v for line in lines for v in line])
""",
    """
def spiral(m):
    out = []
    top, bottom, left, right = 0, m.shape[0] - 1, 0, m.shape[1] - 1
    while top <= bottom and left <= right:
        for j in range(left, right + 1):
            out.append(m[top, j])
        top += 1
        for i in range(top, bottom + 1):
            out.append(m[i, right])
        right -= 1
        if top <= bottom:
            for j in range(right, left - 1, -1):
                out.append(m[bottom, j])
            bottom -= 1
        if left <= right:
            for i in range(bottom, top - 1, -1):
                out.append(m[i, left])
            left += 1
    return np.stack(out)
""",
    """
def bit_reverse(x):
    n = x.shape[0]
    bits = 0
    while (1 << bits) < n:
        bits += 1
    order = []
    for i in range(n):
        r = 0
        for b in range(bits):
            r = (r << 1) | ((i >> b) & 1)
        if r < n:
            order.append(r)
    return x[order]
""",
    """
def interleave(a, b):
    out = np.zeros((a.shape[0] + b.shape[0],) + a.shape[1:])
    out[0::2] = a
    out[1::2] = b
    return out
""",
    """
def pad_to_multiple(x, m):
    extra = -x.shape[-1] % m
    widths = [(0, 0)] * (x.ndim - 1) + [(0, extra)]
    return np.pad(x, widths) if extra else x
""",
    """
def split_heads(x, num_heads):
    *lead, d = x.shape
    return np.swapaxes(x.reshape(*lead, num_heads, d // num_heads), -2, -3)
""",
    """
def recurse(x, depth=2):
    if depth == 0:
        return x
    first, second = np.split(x, 2)
    return np.concatenate([recurse(second, depth - 1), recurse(first, depth - 1)])
""",
    """
def tile_grid(imgs, nrow=2):
    n, h, w = imgs.shape
    ncol = -(-n // nrow)
    grid = np.zeros((nrow * h, ncol * w))
    for k, img in enumerate(imgs):
        r, c = divmod(k, ncol)
        grid[r * h:(r + 1) * h, c * w:(c + 1) * w] = img
    return grid
""",
    """
def chunked(x, sizes=(1, 2)):
    parts, start = {}, 0
    for name, size in zip(["a", "b"], sizes):
        parts[name] = x[start:start + size]
        start += size
    return np.concatenate([parts["b"], parts["a"]])
""",
    """
class Shift:
    def __init__(self, by, axis=0):
        self.by = by
        self.axis = axis

    def __call__(self, x):
        return np.roll(x, self.by, axis=self.axis)
""",
    """
class Base:
    flip = True

    def __init__(self, n):
        self.n = n

    def order(self, x):
        return x[::-1] if self.flip else x


class Child(Base):
    def __init__(self, n):
        super().__init__(n)
        self.twice = 2 * n

    def __call__(self, x):
        return np.tile(self.order(x), (self.twice, 1))
""",
)
TORCH = (
    """
def window_partition(x, window_size):
    B, H, W, C = x.shape
    x = x.view(B, H // window_size, window_size, W // window_size, window_size, C)
    windows = x.permute(0, 1, 3, 2, 4, 5).contiguous().view(-1, window_size, window_size, C)
    return windows
""",
    """
def window_reverse(windows, window_size, H, W):
    B = int(windows.shape[0] / (H * W / window_size / window_size))
    x = windows.view(B, H // window_size, W // window_size, window_size, window_size, -1)
    x = x.permute(0, 1, 3, 2, 4, 5).contiguous().view(B, H, W, -1)
    return x
""",
    """
def channel_shuffle(x: torch.Tensor, groups: int) -> torch.Tensor:
    batchsize, num_channels, height, width = x.size()
    channels_per_group = num_channels // groups
    x = x.view(batchsize, groups, channels_per_group, height, width)
    x = torch.transpose(x, 1, 2).contiguous()
    x = x.view(batchsize, -1, height, width)
    return x
""",
    """
class Focus(nn.Module):
    def __init__(self, c1, c2, k=1):
        super().__init__()
        self.conv = nn.Conv2d(c1 * 4, c2, k)

    def forward(self, x):
        return torch.cat(
            (x[..., ::2, ::2], x[..., 1::2, ::2], x[..., ::2, 1::2], x[..., 1::2, 1::2]), 1
        )
""",
    """
def patchify(imgs, p=2):
    assert imgs.shape[2] == imgs.shape[3] and imgs.shape[2] % p == 0
    h = w = imgs.shape[2] // p
    x = imgs.reshape(shape=(imgs.shape[0], 3, h, p, w, p))
    x = torch.permute(x, (0, 2, 4, 3, 5, 1))
    x = x.reshape(shape=(imgs.shape[0], h * w, p**2 * 3))
    return x
""",
    """
def unpatchify(x, p=1):
    h = w = int(x.shape[1]**.5)
    assert h * w == x.shape[1]
    x = x.reshape(x.shape[0], h, w, p, p, -1)
    x = x.permute(0, 5, 1, 3, 2, 4)
    return x.reshape(x.shape[0], -1, h * p, h * p)
""",
    """
def split_heads(self, x):
    new_shape = x.size()[:-1] + (self.num_heads, x.size(-1) // self.num_heads)
    return x.view(*new_shape).permute(0, 2, 1, 3)
""",
    """
def merge_heads(x):
    x = x.permute(0, 2, 1, 3).contiguous()
    new_x_shape = x.size()[:-2] + (x.size(-2) * x.size(-1),)
    return x.view(new_x_shape)
""",
    """
def qkv_heads(qkv, num_heads):
    B, N, C = qkv.shape
    qkv = qkv.reshape(B, N, 3, num_heads, C // (3 * num_heads)).permute(2, 0, 3, 1, 4)
    q, k, v = qkv.unbind(0)
    return q, k, v
""",
    """
def repeat_kv(hidden_states: torch.Tensor, n_rep: int) -> torch.Tensor:
    batch, num_key_value_heads, slen, head_dim = hidden_states.shape
    if n_rep == 1:
        return hidden_states
    hidden_states = hidden_states[:, :, None, :, :].expand(
        batch, num_key_value_heads, n_rep, slen, head_dim
    )
    return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
""",
    """
def pixel_unshuffle(input, downscale_factor):
    c = input.shape[1]
    n, h, w = input.shape[0], input.shape[2], input.shape[3]
    r = downscale_factor
    x = input.view(n, c, h // r, r, w // r, r)
    x = x.permute(0, 1, 3, 5, 2, 4).contiguous()
    return x.view(n, c * r * r, h // r, w // r)
""",
    """
class SpaceToDepth(nn.Module):
    def __init__(self, block_size=2):
        super().__init__()
        assert block_size in {1: 0, 2: 0, 4: 0}
        self.bs = block_size

    def forward(self, x):
        N, C, H, W = x.size()
        x = x.view(N, C, H // self.bs, self.bs, W // self.bs, self.bs)
        x = x.permute(0, 3, 5, 1, 2, 4).contiguous()
        return x.view(N, C * self.bs * self.bs, H // self.bs, W // self.bs)
""",
    """
class Reorg(nn.Module):
    def __init__(self, stride=2):
        super(Reorg, self).__init__()
        self.stride = stride

    def forward(self, x):
        stride = self.stride
        B, C, H, W = x.data.size()
        x = x.view(B, C, H // stride, stride, W // stride, stride).transpose(3, 4).contiguous()
        x = x.view(B, C, H // stride * W // stride, stride * stride).transpose(2, 3).contiguous()
        x = x.view(B, C, stride * stride, H // stride, W // stride).transpose(1, 2).contiguous()
        return x.view(B, stride * stride * C, H // stride, W // stride)
""",
    """
class Flat(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.ZeroPad2d(1), nn.PixelUnshuffle(2), nn.Flatten(2))

    def forward(self, x):
        with torch.no_grad():
            return self.body(x).transpose(1, 2)
""",
    """
class Up(nn.Module):
    def __init__(self, scale=2):
        super().__init__()
        self.up = nn.Upsample(scale_factor=scale, mode='nearest')
        self.pad = nn.ReflectionPad2d(1)
        self.skip = nn.Identity()

    def forward(self, x):
        return self.pad(self.up(self.skip(x)))
""",
    """
def shift_channels(x, fold_div=2, n_segment=2):
    nt, c, h, w = x.size()
    n_batch = nt // n_segment
    x = x.view(n_batch, n_segment, c, h, w)
    fold = c // fold_div
    out = torch.zeros_like(x)
    out[:, :-1, :fold] = x[:, 1:, :fold]
    out[:, 1:, fold: 2 * fold] = x[:, :-1, fold: 2 * fold]
    out[:, :, 2 * fold:] = x[:, :, 2 * fold:]
    return out.view(nt, c, h, w)
""",
    """
def rel_shift(x, zero_triu=False):
    zero_pad = torch.zeros((x.size(0), 1))
    x_padded = torch.cat([zero_pad, x], dim=1)
    x_padded = x_padded.view(x.size(1) + 1, x.size(0))
    x = x_padded[1:].view_as(x)
    return x
""",
    """
@torch.no_grad()
def cyclic(x, shift_size, window_size=2):
    if shift_size > 0:
        shifted = torch.roll(x, shifts=(-shift_size, -shift_size), dims=(1, 2))
    else:
        shifted = x
    return shifted[:, :window_size]
""",
    """
@torch.no_grad()
def interleaved(x):
    x1, x2 = x[..., ::2], x[..., 1::2]
    return torch.stack((x2, x1), dim=-1).flatten(-2)
""",
    """
def stack_frames(x, left=1, right=1):
    T, d = x.shape
    frames = [x]
    for i in range(1, left + 1):
        frames.insert(0, F.pad(x, (0, 0, i, 0))[:T])
    for i in range(1, right + 1):
        frames.append(F.pad(x, (0, 0, 0, i))[i:])
    return torch.cat(frames, dim=-1)
""",
    """
def get_patches(x, kernel_size, stride):
    b, c, h, w = x.shape
    p = x.unfold(2, kernel_size, stride).unfold(3, kernel_size, stride)
    return p.contiguous().view(b, c, -1, kernel_size, kernel_size)
""",
    """
def rearrange_tokens(x, cls_token=True):
    cls, tokens = x[:, :1], x[:, 1:]
    return torch.cat([tokens, cls], dim=1) if cls_token else tokens
""",
    """
def flip_tta(x, dims=None):
    outs = [x]
    dims = dims or [-1, -2]
    for d in dims:
        outs.append(torch.flip(x, dims=[d]))
    return torch.stack(outs)
""",
    """
class ShuffleBlock(nn.Module):
    def __init__(self, groups):
        super(ShuffleBlock, self).__init__()
        self.groups = groups

    def forward(self, x):
        '''Channel shuffle: [N,C,H,W] -> [N,g,C/g,H,W] -> [N,C/g,g,H,w] -> [N,C,H,W]'''
        N, C, H, W = x.size()
        g = self.groups
        return x.view(N, g, C // g, H, W).permute(0, 2, 1, 3, 4).reshape(N, C, H, W)
""",
    """
def pairwise(x):
    n = x.shape[0]
    a = x.unsqueeze(1).expand(-1, n, -1)
    b = x.unsqueeze(0).expand(n, -1, -1)
    return torch.cat([a, b], dim=-1)
""",
    """
def blocks(x, block):
    b, t, d = x.size()
    pad = (block - t % block) % block
    if pad:
        x = torch.nn.functional.pad(x, (0, 0, 0, pad))
    x = x.view(b, -1, block, d)
    previous = F.pad(x, (0, 0, 0, 0, 1, 0))[:, :-1]
    return torch.cat([previous, x], dim=2)
""",
    """
def beam_reorder(past, beam_idx):
    return tuple(p.index_select(0, beam_idx) for p in [past, past])
""",
    """
def transpose_qkv(X, num_heads):
    X = X.reshape(X.shape[0], X.shape[1], num_heads, -1)
    X = X.permute(0, 2, 1, 3)
    return X.reshape(-1, X.shape[2], X.shape[3])


def transpose_output(X, num_heads):
    X = X.reshape(-1, num_heads, X.shape[1], X.shape[2])
    X = X.permute(0, 2, 1, 3)
    return X.reshape(X.shape[0], X.shape[1], -1)


def both(X, num_heads):
    return transpose_output(transpose_qkv(X, num_heads), num_heads)
""",
    """
class SelfAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.num_attention_heads = config.num_attention_heads
        self.query = nn.Linear(4, 4)

    def transpose_for_scores(self, x):
        sizes = x.size()[:-1] + (self.num_attention_heads, -1)
        return x.view(*sizes).permute(0, 2, 1, 3)

    def forward(self, x):
        return self.transpose_for_scores(x)
""",
    """
def to_2tuple(n):
    return n if isinstance(n, tuple) else (n, n)


def crop(x, size):
    h, w = to_2tuple(size)
    top = (x.shape[-2] - h) // 2
    left = (x.shape[-1] - w) // 2
    return x[..., top:top + h, left:left + w]
""",
    """
def gather_pairs(x, order=(1, 0)):
    pick = lambda t, k: t.select(-1, k)
    return torch.stack([pick(x, k) for k in order], dim=-1)
""",
    """
B, T, C = x.size()
k = x.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
""",
    """
x.view(bs, -1, self.h, self.d_k).transpose(1, 2)
""",
    """
def conv_windows(x, kernel_size=3, dilation=1, causal=True):
    total = (kernel_size - 1) * dilation
    lr = (total, 0) if causal else (total // 2, total - total // 2)
    x = F.pad(x, lr)
    out = [x[..., i * dilation:x.shape[-1] - total + i * dilation] for i in range(kernel_size)]
    return torch.stack(out, dim=-1)
""",
    """
class PatchMerging(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.reduction = nn.Linear(4 * dim, 2 * dim, bias=False)
        self.norm = nn.LayerNorm(4 * dim)

    def forward(self, x):
        B, H, W, C = x.shape
        x0 = x[:, 0::2, 0::2, :]
        x1 = x[:, 1::2, 0::2, :]
        x2 = x[:, 0::2, 1::2, :]
        x3 = x[:, 1::2, 1::2, :]
        x = torch.cat([x0, x1, x2, x3], -1)
        return x.view(B, -1, 4 * C)
""",
)
EINOPS = (
    """
def windows(x, ws):
    return rearrange(x, 'b (h p) (w q) c -> (b h w) p q c', p=ws, q=ws)
""",
    """
def heads(x, h):
    b, n, _ = x.shape
    return rearrange(x, f'b n (h d) -> b h n d', h=h)
""",
    """
def expand(x, n):
    return repeat(x, 'b d -> b n d', n=n)
""",
    """
def to_3d(x):
    return rearrange(x, 'b c h w -> b (h w) c')


def to_4d(x, h, w):
    return rearrange(x, 'b (h w) c -> b c h w', h=h, w=w)


def round_trip(x):
    h, w = x.shape[-2:]
    return to_4d(to_3d(x), h, w)
""",
    """
class Rearranged:
    def __init__(self, p=2):
        self.p = p
        self.pattern = 'b c (h p1) (w p2) -> b (p1 p2 c) h w'

    def forward(self, x):
        return rearrange(x, self.pattern, p1=self.p, p2=self.p)
""",
    """
def qkv(x, heads):
    q, k, v = map(lambda t: rearrange(t, 'b n (h d) -> b h n d', h=heads), np.split(x, 3, axis=-1))
    return v
""",
    """
def reversed_pairs(x):
    x = rearrange(x, '... (d r) -> ... d r', r=2)
    x1, x2 = x[..., 0], x[..., 1]
    return rearrange(np.stack((x2, x1), axis=-1), '... d r -> ... (d r)')
""",
)
FUNCTIONS = {"numpy": NUMPY, "torch": TORCH, "einops": EINOPS}
"""By library; each ends with what people call."""

COMPUTE = (
    (
        "torch",
        """
def rotate_half(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)
""",
    ),
    (
        "torch",
        """
class Attention(nn.Module):
    def __init__(self, dim, heads=2):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)

    def forward(self, x):
        B, N, C = x.shape
        return self.qkv(x).reshape(B, N, 3, self.heads, C // self.heads)
""",
    ),
    ("numpy", "def normalize(x, axis=-1):\n    return x / np.sum(x, axis=axis, keepdims=True)\n"),
    ("torch", "def scaled(q, k):\n    return (q @ k.transpose(-2, -1)) * 2\n"),
)
"""The library, and code that computes: refused as such."""
