"""Random assignments to parts of tensors and to their views, as a library itself runs them."""

import numpy as np

SIZES = ((4, 6), (2, 4), (3, 4), (2, 3, 4), (4, 2, 2), (6,), (3, 3))
VIEWS = {
    "numpy": (
        "{}.T",
        "{}.reshape(-1)",
        "{}.reshape(2, -1)",
        "{}[0]",
        "{}[..., 0]",
        "{}[1:]",
        "{}[:-1]",
        "{}[::2]",
        "{}[..., 1::2]",
        "{}[::-1]",
        "{}.ravel()",
        "np.split({}, 2)[1]",
        "np.moveaxis({}, 0, -1)",
        "{}[None, 1]",
        "np.swapaxes({}, 0, -1)",
        "{}",
        "{}.copy()",
        "{}.flatten()",
        "{}[[1, 0]]",
        "np.flip({}, -1)",
        "np.diagonal({})",
        "np.rot90({})",
        "np.squeeze({})",
        "list({})[1]",
        "np.roll({}, 1)",
    ),
    "torch": (
        "{}.transpose(0, -1)",
        "{}.reshape(-1)",
        "{}.reshape(2, -1)",
        "{}[0]",
        "{}[..., 0]",
        "{}[1:]",
        "{}[:-1]",
        "{}[::2]",
        "{}[..., 1::2]",
        "{}.flip(0)",
        "{}.flatten()",
        "{}.chunk(2)[1]",
        "torch.movedim({}, 0, -1)",
        "{}[None, 1]",
        "{}",
        "{}.clone()",
        "{}[[1, 0]]",
        "torch.diagonal({})",
        "torch.rot90({})",
        "{}.squeeze()",
        "{}.narrow(0, 1, 1)",
        "{}.unbind(0)[1]",
        "{}.contiguous()",
        "{}.view(-1)",
    ),
}
KEYS = (
    "0",
    "1",
    "-1",
    "..., 0",
    "..., -1",
    ":-1",
    "1:",
    "::2",
    "1::2",
    ":2",
    "..., 1:",
    "..., :-1",
)
ADVANCED = ("[1, 0]", "[0, 1, 0]", "..., [1, 0]")
NAMES = [*"xabc"]


def _part(rng):
    keys = KEYS if rng.random() < 0.9 else ADVANCED
    return f"{rng.choice(NAMES)}[{rng.choice(keys)}]"


def _value(rng):
    return str(rng.integers(100, 200)) if rng.random() < 0.15 else _part(rng)


def _line(library, rng):
    """A line that names a view, exchanges parts, copies one, or repeats for parts."""
    kind = rng.integers(0, 8)
    if kind < 3:
        view = rng.choice(VIEWS[library]).format(rng.choice(NAMES))
        return f"{rng.choice(NAMES[1:])} = {view}"
    if kind == 3:
        one, two = _part(rng), _part(rng)
        return f"{one}, {two} = {two}, {one}"
    if kind == 4:
        return f"{_part(rng)}, {_part(rng)} = {_value(rng)}, {_value(rng)}"
    if kind == 5:
        one, two, name = rng.choice(NAMES), rng.choice(NAMES), rng.choice(NAMES)
        return f"for i in range(2):\n    {one}[i] = {two}[{rng.choice(['i', '1 - i'])}]\n    {name}"
    if kind == 6 and library == "torch":
        return f"{_part(rng)}.copy_({_part(rng)})"
    if kind == 6:
        return f"for r in {rng.choice(NAMES)}:\n    r[0] = {_part(rng)}"
    return f"{_part(rng)} = {_value(rng)}"


def assignments(library, count, seed, names):
    """Code that a library runs, with what it makes: tensors, or None where it refuses.

    Args:
        library: ``numpy`` or ``torch``.
        count, seed: of the examples.
        names: of the library's modules.
    """
    rng = np.random.default_rng(seed)
    made = 0
    while made < count:
        sizes = SIZES[rng.integers(0, len(SIZES))]
        lines = ["a = x[0]", "b = x", "c = x[1:]"]
        due = True
        for _turn in range(rng.integers(2, 6)):
            # a line that most often has the right sizes
            for _try in range(12):
                line, before = _line(library, rng), "\n".join(lines)
                trial = {**names, "x": _fresh(library, sizes, names)}
                try:
                    exec(f"{before}\n{line}", trial)
                except Exception:
                    due = None
                    continue
                due = True
                break
            lines.append(line)
            if due is None:
                break
        code = "\n".join([*lines, ", ".join(NAMES)])
        if due is None and rng.random() < 0.5:
            continue
        made += 1
        yield (
            sizes,
            code,
            None if due is None else [np.array(trial[name].tolist()) for name in NAMES],
        )


def _fresh(library, sizes, names):
    x = np.arange(1.0, np.prod(sizes) + 1).reshape(sizes)
    return names["torch"].from_numpy(x) if library == "torch" else x
