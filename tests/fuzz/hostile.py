"""Programs that are short and ask for much: lists that double, loops and functions in each other."""

from __future__ import annotations

import random
from collections.abc import Iterator

_COUNTS = (2, 3, 8, 60, 64, 256, 4096)
_SIZES = ("x:64", "x:6", "x:256,256", "x:2,3,4", "x:65536", "x:1,3,224,224", "x:1,4,64,64", "")
_ENDS = (
    *("x.T", "x[a]", "x.reshape(a)", "np.array(a)", "x[np.array(a)]", "np.take(x, a)", "x", "a"),
    *(
        "np.stack(a)",
        "torch.cat(a)",
        "x[::-1]",
        "np.broadcast_to(x, a)",
        "x.transpose(*a)",
        "zip(a)",
    ),
    *("np.tile(x, a)", "np.concatenate([x, x])", "sum(a)", "x[len(a):]", "max(a)", "list(a)"),
)


def programs(count: int, seed: int) -> Iterator[dict[str, str]]:
    """The parameters of links to programs.

    Args:
        count: how many.
        seed: of the choices.
    """
    dice = random.Random(seed)
    for _turn in range(count):
        parameters = {"code": program(dice), "sizes": dice.choice(_SIZES)}
        if dice.random() < 0.2:
            parameters["compare"] = program(dice)
        yield {name: text for name, text in parameters.items() if text}


def program(dice: random.Random) -> str:
    """One program of at most 4,000 characters."""
    lines = [f"a = {_list(dice, 2)}"]
    for _part in range(dice.randint(1, 4)):
        part = dice.choice(_PARTS)(dice)
        lines += [part] * dice.choice((1, 1, 2, 6, 12, 40))
    lines.append(dice.choice(_ENDS))
    text = "\n".join(lines)
    return text if len(text) <= 4_000 else "\n".join(text[:3_900].splitlines()[:-1] + lines[-1:])


def _list(dice: random.Random, depth: int) -> str:
    inner = (
        dice.choice(("0", "1", "x", "'a'", "[]", "True")) if depth == 0 else _list(dice, depth - 1)
    )
    count = dice.choice(_COUNTS)
    return dice.choice(
        (
            f"[{inner}] * {count}",
            f"[{inner} for i in range({count})]",
            f"[{inner}, {inner}]",
            f"[[{inner}] * {count}] * {count}",
            f"list(range({count}))",
            f"[[i, j] for i in range({count}) for j in range({count})]",
        )
    )


def _double(dice: random.Random) -> str:
    return dice.choice(
        (
            "a = [a, a]",
            "a = a + a",
            "a += a",
            "a = [a] * 64",
            "a.append(a)",
            "a = (a, a)",
            "a = list(zip(a, a))",
            "a = [b for b in a for c in a]",
            "a = [*a, *a]",
            "a = sorted(a + a)",
            "a = list(enumerate(a))",
            "a = reversed([a, a])",
        )
    )


def _loop(dice: random.Random) -> str:
    outer, inner = dice.choice(_COUNTS), dice.choice(_COUNTS)
    body = dice.choice((_double, _move))(dice)
    return dice.choice(
        (
            f"for i in range({outer}):\n    {body}",
            f"for i in range({outer}):\n    for j in range({inner}):\n        {body}",
            f"for i in range({outer}): b = [j for j in range({inner}) for k in range({inner})]",
            f"for i in a:\n    for j in a:\n        {body}",
        )
    )


def _move(dice: random.Random) -> str:
    k = dice.randint(1, 5)
    return dice.choice(
        (
            f"x = np.roll(x, {k}, 0)",
            f"x = np.roll(x, {k})",
            f"x = torch.roll(x, {k}, 0)",
            f"x = np.pad(x, {k}, mode='reflect')",
            f"x = np.pad(x, {k}, mode='symmetric')",
            f"x = np.pad(x, {k})",
            "x = np.concatenate([x, x])",
            "x = np.concatenate([x[1:], x[:1]])",
            "x = np.stack([x, x])",
            f"x = x[{k}:]",
            "x = x[::-1]",
            "x = x[1:][:-1][::2]",
            "x = x.T",
            "x = np.repeat(x, 2)",
            "x = np.tile(x, 2)",
            "x = x[np.arange(len(x))]",
            "x = np.where(np.arange(len(x)) % 2 == 0, x, x[::-1])",
            "x[1:] = x[:-1]",
            "x[0], x[1] = x[1], x[0]",
            "x = x.reshape(-1)",
            "x = x.reshape(2, -1).T",
        )
    )


def _text(dice: random.Random) -> str:
    return dice.choice(
        (
            "s = 'a' * 4000",
            "s = 'a'\ns = s + s",
            "s = ['a' * 4000] * 4000",
            f"{'n' * 900} = a",
            f"b = {'[' * 40}0{']' * 40}",
            "b = 10 ** 64 ** 64",
            "b = 65536 ** 64",
            f"b = {'9' * 900}",
        )
    )


def _function(dice: random.Random) -> str:
    """Functions in functions, functions that call themselves, and classes."""
    count, body = dice.choice(_COUNTS), dice.choice((_double, _move))(dice)
    called = dice.choice(("f(a)", "f(x)", "x = f(x)", "a = [f(a), f(a)]", "f"))
    return dice.choice(
        (
            f"def f(a):\n    {body}\n    return a\n{called}",
            f"def f(x):\n    {body}\n    return f(x)\n{called}",
            f"def f(x, n={count}):\n    if n:\n        {body}\n        return f(f(x, n - 1), n - 1)\n"
            f"    return x\n{called}",
            f"def g(x):\n    def f(x):\n        {body}\n        return g(f)\n    return f\na = g(g)\n{called}",
            f"f = lambda a: [a, a]\n{called}",
            f"f = lambda a: f(f(a))\n{called}",
            f"f = lambda a, *b, **c: (a, b, c, f)\n{called}",
            f"f = lambda x: x\nfor i in range({count}):\n    f = functools.partial(f, x)\n{called}",
            f"a = list(map(lambda b: a, range({count})))",
            f"a = sorted(range({count}), key=lambda b: -b)",
            f"f = jax.vmap(lambda x: x)\n{called}",
        )
    )


def _class(dice: random.Random) -> str:
    count, body = dice.choice(_COUNTS), dice.choice((_double, _move))(dice)
    return dice.choice(
        (
            "class A:\n    def __init__(self, a):\n        self.a = a\n        self.b = self\na = A(a)\na.a = a",
            f"class A:\n    def __call__(self, a):\n        {body}\n        return self(a)\na = A()(a)",
            "class A:\n    @property\n    def p(self):\n        return self.p\na = A().p",
            f"class A(A):\n    a = [0] * {count}\na = A().a",
            "class A:\n    def __init__(self):\n        self.a = A()\na = A()",
            "class A:\n    def __init__(self):\n        super().__init__()\n        A.__init__(self)\na = A()",
            f"a = nn.Sequential(*[nn.Identity()] * {count})",
            "class A:\n    pass\nb = A()\nb.a = [b, b]\nb.a = [b.a, b.a]\na = b.a",
        )
    )


def _turns(dice: random.Random) -> str:
    count, body = dice.choice(_COUNTS), dice.choice((_double, _move))(dice)
    return dice.choice(
        (
            f"while True:\n    {body}",
            f"k = 0\nwhile k < {count}:\n    k += 1\n    {body}",
            f"while len(a) < {count}:\n    {body}",
            f"while x is not None:\n    while a:\n        {body}",
            f"a = {{i: a for i in range({count})}}",
            "d = {}\nd['a'] = d\na = d",
            "d = {'a': a}\nd['b'] = [d, d]\na = list(d.values())",
            f"d = dict(a=a)\nfor i in range({count}):\n    d = dict(a=d, b=d)\na = [d]",
            f"s = 'a'\nfor i in range({count}):\n    s = f'{{s}}{{s}}'",
            f"s = ','.join(['a' * 4000] * {count})",
            f"b = 1 << {count} << {count}",
            f"b = pow({count}, {count})",
            f"a = list(itertools.product(*[range({count})] * 3))",
            f"a = list(itertools.chain(*[range({count})] * {count}))",
            f"a = sum([[0] * {count}] * {count}, [])",
            f"a = (b := a) + b if len(a) < {count} else a",
        )
    )


_PARTS = (_double, _double, _loop, _move, _move, _text, _function, _class, _turns)
