"""Random chains of lines that a library itself can run, and refusals that it makes itself."""

import math

import numpy as np


def whole(numbers):
    return str(tuple(int(n) for n in numbers))


def factors(count, rng, most=4):
    """Sizes whose product is ``count``, in any order."""
    sizes = []
    for _turn in range(rng.integers(1, most + 1)):
        divisors = [d for d in range(1, count + 1) if count % d == 0]
        sizes.append(int(rng.choice(divisors)))
        count //= sizes[-1]
    sizes = [n for n in (*sizes, count) if n > 1] or [1]
    rng.shuffle(sizes)
    return tuple(sizes)


def sliced(sizes, rng, backward):
    parts = []
    for n in sizes:
        start = int(rng.integers(0, n))
        stop = int(rng.integers(start + 1, n + 1))
        step = int(rng.integers(1, 3))
        if rng.random() < 0.5:
            parts.append(":")
        elif backward and rng.random() < 0.3:
            parts.append(f"{stop - 1}:{start - 1 if start else ''}:-{step}")
        else:
            parts.append(f"{start}:{stop}:{step}")
    return f"x[{', '.join(parts)}]"


def pattern(sizes, rng, function):
    """A call of einops with the axes of x divided, shuffled and joined at random."""
    left, names, lengths = [], [], {}
    for d, n in enumerate(sizes):
        parts = factors(n, rng, 1) if rng.random() < 0.5 else (n,)
        axes = [f"{'abcdefgh'[d]}{k}" for k in range(len(parts))]
        left.append(axes)
        names += axes
        lengths |= dict(zip(axes[1:], parts[1:], strict=True))
    order = [str(name) for name in rng.permutation(names)]
    if function == "repeat":
        order.insert(int(rng.integers(0, len(order) + 1)), "r")
        lengths["r"] = 2
    cuts = sorted({*rng.integers(1, len(order) + 1, size=3).tolist(), len(order)})
    right = [order[a:b] for a, b in zip([0, *cuts], cuts, strict=False)]
    sides = (
        " ".join(axes[0] if len(axes) == 1 else f"({' '.join(axes)})" for axes in side)
        for side in (left, right)
    )
    more = "".join(f", {name}={length}" for name, length in lengths.items())
    return f"{function}(x, '{' -> '.join(sides)}'{more})"


def numpy_line(sizes, rng):
    rank, count, axis = len(sizes), math.prod(sizes), int(rng.integers(0, len(sizes)))
    other = int(rng.integers(0, rank))
    widths = [tuple(int(v) for v in rng.integers(0, 3, size=2)) for _n in sizes]
    within = [(int(rng.integers(0, min(3, n))), int(rng.integers(0, min(3, n)))) for n in sizes]
    mode = rng.choice(["edge", "reflect", "wrap", "symmetric"])
    places = rng.integers(-sizes[axis], sizes[axis], size=rng.integers(1, 4)).tolist()
    along = rng.integers(0, sizes[axis], size=sizes).tolist()
    mask = (rng.random(sizes[0]) < 0.6).tolist()
    lines = [
        f"x.reshape({whole(factors(count, rng))})",
        f"x.reshape({whole(factors(count, rng))}, order='F')",
        f"x.transpose({whole(rng.permutation(rank))})",
        f"np.flip(x, {axis})",
        sliced(sizes, rng, backward=True),
        f"np.pad(x, {widths}, constant_values={rng.integers(-9, 9)})",
        f"np.pad(x, {within}, mode='{mode}')",
        f"np.roll(x, {rng.integers(-3, 4)}, axis={axis})",
        f"np.roll(x, {rng.integers(1, 5)})",
        f"np.tile(x, {whole(rng.integers(1, 3, size=rank))})",
        f"np.repeat(x, 2, axis={axis})",
        f"np.broadcast_to(x, {whole((2, *sizes))})",
        "np.concatenate([x, x[::-1]], axis=0)",
        f"np.swapaxes(x, {axis}, {other})",
        f"np.moveaxis(x, {axis}, {other})",
        f"np.take(x, {places}, axis={axis})",
        f"np.take_along_axis(x, np.array({along}), {axis})" if count < 60 else "x[::-1]",
        f"np.stack([x, x], axis={axis})",
        f"np.split(x, 2, axis={axis})[1]",
        f"np.delete(x, {places[0]}, axis={axis})",
        f"np.insert(x, {abs(places[0])}, 7, axis={axis})",
        f"x[np.array({mask})]",
        f"x[{places if axis == 0 else 0}]",
        f"np.rot90(x, {rng.integers(1, 4)})",
        f"np.diagonal(x, {rng.integers(-1, 2)})",
        "np.tril(x)",
        "x[..., None]",
        pattern(sizes, rng, "rearrange"),
        pattern(sizes, rng, "repeat"),
    ]
    return str(rng.choice(np.array(lines, object)))


def torch_line(sizes, rng):
    rank, count, axis = len(sizes), math.prod(sizes), int(rng.integers(0, len(sizes)))
    other = int(rng.integers(0, rank))
    # F.pad counts from the last dimension; nothing is left of a size of 1 without an element
    widths = [int(v) for n in sizes[::-1] for v in rng.integers(-1 if n > 1 else 0, 3, size=2)]
    start = int(rng.integers(0, sizes[axis]))
    places = rng.integers(0, sizes[axis], size=rng.integers(1, 4)).tolist()
    along = rng.integers(0, sizes[axis], size=sizes).tolist()
    mask = (rng.random(sizes[-1]) < 0.5).tolist()
    mode = rng.choice(["reflect", "replicate", "circular"])
    lines = [
        f"x.reshape({whole(factors(count, rng))})",
        f"x.view({whole(factors(count, rng))})",
        f"x.permute{whole(rng.permutation(rank))}" if rank > 1 else "x.t()",
        f"x.transpose({axis}, {other})",
        f"x.movedim({axis}, {other})",
        f"x.flip({axis})",
        sliced(sizes, rng, backward=False),
        f"F.pad(x, {whole(widths)}, value={rng.integers(-9, 9)})",
        f"F.pad(x, (1, 2), mode='{mode}')",
        f"torch.roll(x, {rng.integers(-3, 4)}, {axis})",
        f"x.repeat{whole(rng.integers(1, 3, size=rank))}",
        f"x.repeat_interleave(2, dim={axis})",
        f"x.unsqueeze({axis}).expand({whole((*sizes[:axis], 2, *sizes[axis:]))})",
        f"torch.cat([x, x.flip({axis})], dim={axis})",
        f"torch.stack([x, x.clone()], dim={axis})",
        f"x.index_select({axis}, torch.tensor({places}))",
        f"x.unfold({axis}, {rng.integers(1, sizes[axis] + 1)}, {rng.integers(1, 3)})",
        "F.pixel_shuffle(x, 2)",
        "F.pixel_unshuffle(x, 2)",
        f"x.select({axis}, {start})",
        f"x.narrow({axis}, {start}, {rng.integers(1, sizes[axis] - start + 1)})",
        "x.flatten(1)",
        "x.contiguous()",
        "x.mT",
        f"x.unsqueeze({axis})",
        "x.squeeze()",
        "x.tril()",
        f"x.masked_fill(torch.tensor({mask}), 0)",
        f"torch.gather(x, {axis}, torch.tensor({along}))" if count < 60 else "x.flip(0)",
        f"x.chunk(2, dim={axis})[0]",
        f"x.diagonal(0, {axis}, {other})",
        f"torch.rot90(x, {rng.integers(0, 4)}, ({axis}, {other}))",
        f"torch.where(torch.tensor({mask}), x, 5)",
        f"x.index_fill({axis}, torch.tensor({places}), 3)",
        "x.permute(0, 3, 1, 2)",
        pattern(sizes, rng, "rearrange"),
    ]
    return str(rng.choice(np.array(lines, object)))


LINES = {"numpy": numpy_line, "torch": torch_line}


def names_of(library):
    """What the lines of a library are run with."""
    import einops

    names = {"np": np, "rearrange": einops.rearrange, "repeat": einops.repeat}
    if library == "torch":
        import torch
        from torch.nn import functional

        names |= {"torch": torch, "F": functional}
    return names


def as_library(array, names):
    return names["torch"].from_numpy(array.copy()).double() if "torch" in names else array.copy()


def chains(library, count, seed, most=4_000):
    """Chains of 2 to 6 lines: sizes, code, what the library itself makes of counted numbers.

    Of a chain whose last line the library refuses, the result is None.
    """
    rng, names = np.random.default_rng(seed), names_of(library)
    while count:
        sizes = tuple(int(n) for n in rng.integers(2, 7, size=rng.integers(1, 5)))
        if rng.random() < 0.15:
            sizes = (1, 8, 2, 3)
        x = as_library(np.arange(1, math.prod(sizes) + 1).reshape(sizes), names)
        lines, refused = [], False
        for _turn in range(int(rng.integers(2, 7))):
            line = LINES[library](tuple(x.shape), rng)
            try:
                made = eval(line, {**names, "x": x})
            except Exception:
                lines.append(f"x = {line}")
                refused = True
                break
            if 0 in made.shape or math.prod(made.shape) > most or len(made.shape) > 7:
                continue
            if not len(made.shape):
                continue
            x = made
            lines.append(f"x = {line}")
        if len(lines) > 1:
            count -= 1
            yield sizes, "\n".join(lines), None if refused else np.asarray(x)
