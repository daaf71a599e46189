"""Code that computes: the calls that do are boundaries, and what moves around them are parts."""

import ast
import random
import time

import numpy as np
import pytest

import dmlviz
from dmlviz.code import CodeRefused
from dmlviz.code.code_parts import parts_of
from dmlviz.code.inputs import NothingFits, suggested
from tests.code import computing
from tests.every import every

ATTENTION = """
def forward(self, x):
    B, N, C = x.shape
    qkv = self.qkv(x).reshape(B, N, 3, self.num_heads, C // self.num_heads).permute(2, 0, 3, 1, 4)
    q, k, v = qkv.unbind(0)
    attn = (q @ k.transpose(-2, -1)) * self.scale
    attn = attn.softmax(dim=-1)
    x = (attn @ v).transpose(1, 2).reshape(B, N, C)
    return self.proj(x)
"""

ROTARY = """
def rotate_half(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)

q_embed = (q * cos) + (rotate_half(q) * sin)
"""

MODEL = """
class Attention(nn.Module):
    def __init__(self, dim=4, heads=2):
        super().__init__()
        self.heads = heads
        self.to_qkv = nn.Linear(dim, dim * 3)
        self.pool = nn.AvgPool1d(2)

    def forward(self, x):
        q, k, v = self.to_qkv(x).chunk(3, dim=-1)
        q, k, v = map(lambda t: rearrange(t, 'b n (h d) -> b h n d', h=self.heads), (q, k, v))
        out = torch.einsum('bhid,bhjd->bhij', q, k).softmax(-1) @ v
        return rearrange(out, 'b h n d -> b n (h d)')
"""

WRITTEN = (
    "t1 = op.ScatterND(x, [[[0, 0], [1, 0]], [[0, 1], [1, 1]], [[0, 2], [1, 2]]], y1)\n"
    "t2 = op.Transpose(t1, perm=[1, 0])\nt3 = op.Reshape(t2, [6])\nt3"
)
"""What is written into memory that has another name is read again, as operators of ONNX."""

CODES = [
    (
        "attn = (q @ k.transpose(-2, -1)) * scale",
        {"q": (1, 2, 4, 3), "k": (1, 2, 4, 3)},
        ["@", "*"],
        ["k.transpose(-2, -1)"],
    ),
    ("F.relu(x).permute(1, 0)", {"x": (2, 3)}, ["F.relu"], ["y1.permute(1, 0)"]),
    (
        ATTENTION,
        {"x": (1, 4, 6), "self.num_heads": 2},
        ["self.qkv", "@", "*", "softmax", "@", "self.proj"],
        [
            "qkv = y1.reshape(1, 4, 3, 2, 3).permute(2, 0, 3, 1, 4)\n"
            "q, k, v = qkv.unbind(0)\nq, v, k.transpose(-2, -1)",
            "x1 = y3.transpose(1, 2).reshape(1, 4, 6)",
        ],
    ),
    (
        ROTARY,
        {"q": (2, 3, 4), "cos": (3, 4), "sin": (3, 4)},
        ["*", "-", "*", "+"],
        ["x1, x2 = q.chunk(2, dim=-1)\nx2, torch.cat((y2, x1), dim=-1)"],
    ),
    (
        MODEL,
        {"x": (2, 3, 4)},
        ["nn.Linear", "torch.einsum", "softmax", "@"],
        [
            "q, k, v = y1.chunk(3, dim=-1)\n"
            "q1 = rearrange(q, 'b n (h d) -> b h n d', h=2)\n"
            "k1 = rearrange(k, 'b n (h d) -> b h n d', h=2)\n"
            "v1 = rearrange(v, 'b n (h d) -> b h n d', h=2)\nq1, k1, v1",
            "rearrange(out, 'b h n d -> b n (h d)')",
        ],
    ),
    (
        "m = x > 0\ny = x.T.masked_fill(m.T, 0).reshape(-1)",
        {"x": (2, 3)},
        [">", "masked_fill"],
        ["x.T", "m.T", "y = y1.reshape(-1)"],
    ),
    (
        "best = scores.topk(2).indices\nflat = best.view(-1)",
        {"scores": (2, 3)},
        ["topk"],
        ["flat = best.view(-1)"],
    ),
    (
        "h = x.permute(1, 0)\nh += 1\nh.flatten()",
        {"x": (2, 3)},
        ["+"],
        ["h = x.permute(1, 0)", WRITTEN],
    ),
    (
        "np.concatenate([np.exp(x), x[:, ::-1]], axis=1).T",
        {"x": (2, 3)},
        ["np.exp"],
        ["np.concatenate([y1, x[:, ::-1]], axis=1).T"],
    ),
]


@pytest.mark.parametrize(("code", "sizes", "names", "texts"), CODES)
def test_what_moves_around_the_calls_that_compute_are_parts(code, sizes, names, texts):
    with pytest.raises(ValueError) as refused:
        dmlviz.code(code, **sizes)
    assert isinstance(refused.value, CodeRefused)
    assert [each.name for each in refused.value.computing] == names
    assert [part.text for part in refused.value.parts] == texts
    for part in refused.value.parts:
        assert part.run().agrees
        # a name of a tensor that a call computes tells which
        assert part.computed.keys() <= part.input_sizes.keys()
    for each in refused.value.computing:
        lines = code.split("\n")[each.place.line - 1 : each.place.end_line]
        assert lines[0][each.place.column - 1 :].startswith(each.text.split("\n")[0])


@every(("line", "of", "due"), computing.recorded())
def test_sizes_of_what_a_call_computes_are_pytorchs(line, of, due):
    sizes = dict(zip("xy", map(tuple, of), strict=False))
    made = parts_of(line, sizes, {}, "torch")
    assert made.whole
    assert made.computing[-1].sizes_follow
    assert [list(one) for one in made.computing[-1].gives.values()] == due


def test_the_recorded_sizes_are_those_of_every_line():
    every_line = [[line, of] for line, each in computing.LINES.items() for of in each]
    assert [[line, of] for line, of, _due in computing.recorded()] == every_line
    pytest.importorskip("torch")
    assert all(computing.by_torch(line, of) == due for line, of, due in computing.recorded())


def program(dice):
    """Lines of NumPy, each of which gives one name a tensor."""
    sizes, lines, computed = {"x": (2, 6), "y": (3, 4)}, [], 0
    for k in range(dice.randint(4, 9)):
        of = dice.choice(list(sizes))
        shape = sizes[of]
        moves = [f"{of}.T", f"{of}[::-1]", f"{of}.reshape(-1, 2)", f"np.roll({of}, 1, axis=0)"]
        moves += [f"np.concatenate([{of}, {of}[:1]])", f"{of}[:, None]", f"np.repeat({of}, 2, 1)"]
        counts = [f"{of} * 3", f"np.exp({of})", f"{of} @ {of}.T", f"{of} - {of}[:1]", f"-{of}"]
        counts += [f"np.mean({of}, axis=0, keepdims=True)", f"np.sort({of}, axis=-1)"]
        line = dice.choice(counts if dice.random() < 0.4 else moves)
        if len(shape) != 2 and ("@" in line or ", 2, 1)" in line or "reshape" in line):
            line = f"{of}[0]" if len(shape) > 2 else f"np.stack([{of}, {of}])"
        name = f"n{k}"
        value = eval(line, {"np": np, of: np.ones(shape)})
        if value.size > 300:
            continue
        computed += line in counts
        sizes[name] = value.shape
        lines.append(f"{name} = {line}")
    return "\n".join(lines) if computed else program(dice)


@every("seed", range(40))
def test_numpy_runs_each_part_of_a_random_program_on_the_values_between(seed):
    code = program(random.Random(seed))
    values = {"np": np, "x": np.arange(12.0).reshape(2, 6), "y": -np.arange(12.0).reshape(3, 4)}
    exec(code, values)
    made = parts_of(code, {"x": (2, 6), "y": (3, 4)}, {}, "numpy")
    assert made.whole
    for each in made.computing:
        for name, of in each.gives.items():
            assert name not in values or values[name].shape == of
    for part in made.parts:
        between = {name for name in part.tensors if name not in values}
        if between:
            # what has no name in the code is a part of a line
            continue
        names = dict(values)
        *before, last = ast.parse(part.text).body
        exec(compile(ast.Module(before, []), "part", "exec"), names)
        if isinstance(last, ast.Assign):
            exec(ast.unparse(last), names)
            due = {ast.unparse(last.targets[0])}
        else:
            due = {x.id for x in ast.walk(last) if isinstance(x, ast.Name)} - part.tensors.keys()
        for name in due & values.keys() - {"np"}:
            np.testing.assert_array_equal(names[name], values[name])


def test_sizes_that_nothing_says_are_those_with_which_the_rest_is_read():
    made = parts_of(ATTENTION, {"x": (1, 4, 6)}, {}, "torch", {"self.num_heads": 2})
    first = made.computing[0]
    assert (dict(first.gives), first.sizes_follow) == ({"y1": (1, 4, 18)}, False)


@every(
    ("code", "of", "due"),
    [
        ("reduce(x, 'b c (h p) w -> b c h w', 'mean', p=2)", (1, 3, 4, 5), (1, 3, 2, 5)),
        ("einops.reduce(x, 'b ... c -> b c', 'max')", (2, 3, 4, 5), (2, 5)),
        ("np.kron(x, x)", (2, 3), None),
        ("x.trace()", (3, 3), None),
    ],
)
def test_sizes_are_known_where_there_is_a_rule(code, of, due):
    (each,) = parts_of(code, {"x": of}).computing
    assert each.sizes_follow == (due is not None)
    assert due is None or list(each.gives.values()) == [due]


def test_the_sizes_between_can_be_given():
    code = "y = self.up(x)\ny.movedim(0, 1)"
    first, second = (parts_of(code, {"x": (2, 3), **more}) for more in ({}, {"y": (4, 5, 2)}))
    assert dict(first.parts[0].output_sizes) == {"out": (3, 2)}
    assert dict(second.parts[0].output_sizes) == {"out": (5, 4, 2)}
    assert second.computing[0].sizes_follow


def test_what_is_read_up_to_another_refusal_stays():
    made = parts_of("z = (x + 1).T\nz.reshape(7, 7)", {"x": (2, 3)})
    assert not made.whole
    assert [part.text for part in made.parts] == ["z = y1.T"]


@every("code", ["x.T", "x.reshape(5, 5)", "x.foo()", "x +", "torch.transpos(x)", "np.eye(3)", ""])
def test_code_that_computes_nothing_has_no_parts(code):
    made = parts_of(code, {"x": (2, 3)})
    assert (made.parts, made.computing) == ((), ())


@every(
    ("code", "sizes"),
    [
        ("attn = (q @ k.transpose(-2, -1)) * scale", {"q": (2, 3), "k": (2, 3), "scale": ()}),
        ("x.softmax(-1).permute(0, 2, 1)", {"x": (2, 3, 4)}),
        ("h = self.norm(x)\nb, t, c = h.shape\nh.view(b, t, 2, c // 2)", {"x": (2, 3, 2)}),
    ],
)
def test_sizes_are_found_for_code_that_computes(code, sizes):
    with pytest.raises(NothingFits) as refused:
        suggested(code, "torch", {})
    assert refused.value.sizes == sizes


HOSTILE = [
    ("y = x\nfor i in range(200):\n    y = F.relu(y).T", (100, 600)),
    (
        "y = x\nfor i in range(200):\n    y = self.f(y).reshape(4, 4, -1).permute(2, 0, 1)",
        (100, 16),
    ),
    ("def f(x):\n    return f(x @ x) @ f(x.T)\nf(x)", (8, 8)),
    ("y = [x.T * i for i in range(250)]\nz = [[a + b for a in y] for b in y]", (100, 100)),
    ("torch.outer(x, x).T", (60_000,)),
    ("F.one_hot(x, 1000000000).T", (60_000,)),
    ("F.interpolate(x, scale_factor=1e30, mode='bilinear').permute(1, 0, 2, 3)", (1, 2, 3, 4)),
    ("x.topk(-5)[0].T", (3, 4)),
    ("nn.Conv2d(1, 10**9, 3, padding=10**9)(x).permute(0, 2, 3, 1)", (1, 1, 3, 4)),
    ("nn.Conv2d(1, 2, 0, stride=0)(x).permute(0, 2, 3, 1)", (1, 1, 3, 4)),
    ("x.mean(dim=x).T", (3, 4)),
]


@every(("code", "of"), HOSTILE)
def test_code_that_computes_much_costs_little(code, of):
    start = time.process_time()
    for part in parts_of(code, {"x": of}).parts:
        assert part.chain.operations
    assert time.process_time() - start < 2.5
