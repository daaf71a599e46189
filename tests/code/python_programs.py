"""Random programs of functions, branches, loops and classes, as a library itself runs them."""

import numpy as np

SIZES = ((4, 6), (2, 4), (3, 4), (2, 3, 4), (4, 2, 2), (6,), (3, 3), (8,))
MOVES = {
    "numpy": (
        "{}.T",
        "{}[::-1]",
        "{}[1:]",
        "{}[..., ::2]",
        "np.roll({}, n, axis=0)",
        "np.concatenate([{}, {}])",
        "{}.reshape(-1, *{}.shape[2:])",
        "np.moveaxis({}, 0, -1)",
        "np.stack([{}] * 2)",
        "np.repeat({}, n % 3 + 1, axis=0)",
        "np.pad({}, 1)",
        "np.flip({}, axis=-1)",
    ),
    "torch": (
        "{}.transpose(0, -1)",
        "{}.flip(0)",
        "{}[1:]",
        "{}[..., ::2]",
        "torch.roll({}, n, 0)",
        "torch.cat([{}, {}])",
        "{}.reshape(-1, *{}.shape[2:])",
        "torch.movedim({}, 0, -1)",
        "torch.stack([{}] * 2)",
        "{}.repeat_interleave(n % 3 + 1, 0)",
        "F.pad({}, (1, 1))",
        "nn.Identity()({})",
    ),
}
CONDITIONS = (
    *("n > 1", "n % 2 == 0", "x.shape[0] > 3", "x.ndim == 2", "not n", "n in (1, 3)", "k is None"),
    *("1 <= n < 3", "len(x) > 2 and n", "n or k", "isinstance(k, int)", "x is not None"),
)
NUMBERS = (
    "n + 1",
    "n - 1",
    "x.shape[0]",
    "n * 2 % 3",
    "len(x) // 2",
    "1 if k else 2",
    "(n << 1) % 7",
)


def _move(library, dice, name):
    move = str(dice.choice(MOVES[library]))
    return move.format(*[name] * move.count("{}"))


def _block(library, dice, depth, indent):
    """Statements on ``x``, ``n`` and ``k``, which stay what they are: a tensor and numbers."""
    lines = []
    for _turn in range(dice.integers(1, 4)):
        kind, space = dice.integers(0, 13), " " * indent
        if kind >= 8 and depth == 0:
            kind = dice.integers(0, 8)
        inner = lambda: _block(library, dice, depth - 1, indent + 4)  # noqa: E731
        condition = str(dice.choice(CONDITIONS))
        match kind:
            case 0 | 1 | 2:
                lines.append(f"{space}x = {_move(library, dice, 'x')}")
            case 3:
                lines.append(f"{space}n = {dice.choice(NUMBERS)}")
            case 4:
                lines.append(f"{space}x = {_move(library, dice, 'x')} if {condition} else x")
            case 5:
                lines.append(
                    f"{space}n {dice.choice(['+=', '-=', '%=', '//='])} {dice.integers(1, 3)}"
                )
            case 6:
                lines.append(f"{space}x = f(x, n)")
            case 7:
                lines.append(
                    str(
                        dice.choice(
                            [
                                f"{space}x = g(x)",
                                f"{space}x = A(n)(x)",
                                f"{space}x = A(n, k).twice(x)",
                                f"{space}parts = {{'a': x, 'n': n}}\n{space}x = parts['a']",
                                f"{space}x, n = x, n",
                                f"{space}n, *rest = [n, k, n]",
                                f"{space}x = [t for t in [x, x[:1]] if len(t) > n or True][-1]",
                                f"{space}x = list(map(lambda t: t[:n + 2], [x]))[0]",
                                f"{space}y = x\n{space}y[0] = {dice.integers(50, 99)}",
                            ]
                        )
                    )
                )
            case 8 | 9:
                lines += [f"{space}if {condition}:", *inner()]
                if dice.random() < 0.5:
                    lines += [f"{space}elif {dice.choice(CONDITIONS)}:", *inner()]
                if dice.random() < 0.5:
                    lines += [f"{space}else:", *inner()]
            case 10:
                lines += [f"{space}for i in range({dice.integers(1, 3)}):", *inner()]
                if dice.random() < 0.4:
                    lines.append(f"{space}    {dice.choice(['break', 'continue'])}")
                    lines += inner()
            case 11:
                # what the library runs must end
                turns = f"turns{indent}"
                lines += [f"{space}{turns} = 0", f"{space}while n > 1 and {turns} < 3:"]
                lines += [f"{space}    {turns} += 1", *inner()]
            case 12:
                lines += [f"{space}for i, t in enumerate([x, x[:1]]):"]
                lines += [f"{space}    if i == {dice.integers(0, 2)}:", f"{space}        x = t"]
    return lines


def _program(library, dice):
    lines = [
        f"n, k = {dice.integers(0, 4)}, {dice.choice(['None', '1', '2'])}",
        f"def f(x, n=1, *, k={dice.choice(['None', '2'])}):",
        *_block(library, dice, 1, 4),
        "    return x",
        f"g = {dice.choice(['lambda x: x', 'lambda x, n=2: ' + _move(library, dice, 'x')])}",
        "class A:",
        "    k = 2",
        "    def __init__(self, n, m=1):",
        f"        self.n = {dice.choice(['n', 'n + 1', 'n if n else m'])}",
        "    def __call__(self, x):",
        "        n, k = self.n, self.k",
        *_block(library, dice, 1, 8),
        "        return x",
        "    def twice(self, x):",
        "        return self(self(x))" if dice.random() < 0.5 else "        return self(x)",
    ]
    # a function that calls itself would not end
    lines = [line.replace("f(x, n)", "x[:]") if line.startswith("    ") else line for line in lines]
    lines = [
        line.replace("A(n, k).twice(x)", "x").replace("A(n)(x)", "x").replace("g(x)", "x")
        if line.startswith("    ")
        else line
        for line in lines
    ]
    return "\n".join([*lines, *_block(library, dice, 2, 0), "x"])


def python_programs(library, count, seed, names):
    """Programs that a library runs, with what it makes of them.

    Args:
        library: ``numpy`` or ``torch``.
        count, seed: of the programs.
        names: of the library's modules.
    """
    dice, made = np.random.default_rng(seed), 0
    while made < count:
        sizes = SIZES[dice.integers(0, len(SIZES))]
        text = _program(library, dice)
        x = np.arange(1.0, np.prod(sizes) + 1).reshape(sizes)
        namespace = {**names, "x": names["torch"].from_numpy(x) if library == "torch" else x}
        try:
            exec(text, namespace)
        except Exception:
            # the sizes do not fit, or a method is another library's
            continue
        result = np.array(namespace["x"].tolist())
        if not 0 < result.size <= 4_000 or not 0 < result.ndim <= 8 or len(text) > 4_000:
            continue
        made += 1
        yield sizes, text, result
