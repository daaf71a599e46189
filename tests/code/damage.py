"""Lines with damage, and lines that mean harm."""

import random

PIECES = (
    *("(", ")", "[", "]", ",", "-1", "0", "1e9", "99999999999", "None", "...", "::", "x", "y"),
    *("*", "**", "lambda: 0", '"', "np", "torch", ".T", ".reshape", "__class__", "import os"),
    *("for i in range(9999):", "\\", "\0", "é", "True", "1.5", "{}", "@", "if", "=", "[[[[[["),
    *("(((((((", "x" * 300, "-" * 200, "\n", "\n    ", "'", ".set(0)", "_(", "x[x]", ":=", "//0"),
)


def damaged(lines, count, seed):
    """Lines with one to four pieces put in, replaced or left out."""
    dice = random.Random(seed)
    for _turn in range(count):
        code, sizes, _kind = dice.choice(lines)
        letters = list(code)
        for _piece in range(dice.randint(1, 4)):
            at, what = dice.randrange(len(letters) + 1), dice.random()
            if what < 0.4 or not letters:
                letters.insert(at, dice.choice(PIECES))
            elif what < 0.7:
                letters[min(at, len(letters) - 1)] = dice.choice((*PIECES, "7", "8", "a", "i"))
            else:
                del letters[min(at, len(letters) - 1)]
        yield "".join(letters), sizes


HOSTILE = (
    "x.__class__.__mro__",
    "__import__('os')",
    "eval('1')",
    "open('/etc/passwd')",
    "[[np.arange(65536) for i in range(256)] for j in range(256)]",
    "np.zeros((10**9,))",
    "np.tile(x, (100000, 100000))",
    "10**10**10",
    "2**(2**(2**(2**2)))**2",
    "[0]*4096*4096*4096",
    "('a' * 4096) * 4096",
    "x.reshape(2, 3)" + ".T" * 1900,
    "x" + ".T" * 1900,
    "(" * 3000,
    "-" * 3000 + "1",
    "not " * 900 + "1",
    "x" + "[0:]" * 900,
    "x" + "[...]" * 300,
    "for i in range(256):\n    for j in range(256):\n        x = x.T",
    "for i in range(256):\n    for j in range(256):\n        pass\nx",
    "[0 for i in range(256) for j in range(256) for k in range(256)]",
    "np.pad(x, 10**9)",
    "np.pad(x, 10**9, mode='wrap')",
    "np.pad(x, 2**62)",
    "while True: pass",
    "lambda: x",
    "f'{x}'",
    "x if x else x",
    "import os",
    "from os import system",
    "from numpy import *",
    "np.broadcast_to(x, (65536, 2, 3))",
    "np.roll(x, 10**12)",
    "x.repeat(65536, 1)",
    "x.transpose(*range(9999999))",
    "range(10**18)",
    "list(range(10**18))",
    "sum(range(2**31 - 1))",
    "max(range(2**31 - 1))",
    "sorted(range(2**31 - 1))",
    "tuple(range(2**31 - 1))",
    "(2**31 - 2) in range(2**31 - 1)",
    "np.repeat(x, [10**9, 1], axis=0)",
    "np.arange(2**31 - 1)",
    "np.arange(-2**31, 2**31 - 1, 1)",
    "np.eye(2**31 - 1)",
    "np.tri(65536, 65536)",
    "rearrange(x, '" + "a " * 3000 + "-> a')",
    "rearrange(x, '" + "(" * 200 + "-> a')",
    "repeat(x, 'a b -> a b 999999999')",
    "np.lib.stride_tricks.as_strided(x, (300, 300), (0, 0))",
    "np.lib.stride_tricks.as_strided(x, (1,) * 60, (8,) * 60)",
    "a = [x]*4000\nnp.stack(a)",
    "np.ones(65536)[:, None]*np.ones(65536)",
    "a = np.ones(65536)\nfor i in range(256):\n    a = a * a + a\nx[a]",
    "x.shape.__len__()",
    "globals()",
    "(lambda x: x)(x)",
    "class A: pass",
    "x[np.arange(65536)%2]",
    "np.block([[[[[[[[[x]]]]]]]]])",
    "a = [x]\nfor i in range(64):\n    a = [a]\nnp.block(a)",
    "a = []\na.append(a)\nnp.array(a)",
    "a = [1]\na.append(a)\nx[a]",
    "a = [x]\nfor i in range(20):\n    a = a + a\nnp.stack(a)",
    "np.meshgrid(*[np.arange(30)] * 30)",
    "np.ix_(*[np.arange(2)] * 40)",
    "np.reshape(x, (1,) * 4000)",
    "np.choose([0] * 4000, [x] * 4000)",
    "F.interpolate(x.reshape(1, 1, 2, 3), scale_factor=1e300)",
    "F.interpolate(x.reshape(1, 1, 2, 3), scale_factor=1e-300)",
    "F.unfold(x.reshape(1, 1, 2, 3), 1, padding=10**6)",
    "\"\\N{BULLET}\"",
    "x := 3",
    "np.full((2, 3), 1e400)",
    "np.full((2, 3), float('nan'))",
    "int('9' * 3900)",
    "int(1e300)",
    "round(1e400)",
    "1e400 // 1",
    "divmod(1, 0)",
    "x[10**9]",
    "x[:, -10**9]",
    "x[::10**9]",
    "x[::2**31]",
    "y = x\ny[0] = 1\nx",
    "x = x; " * 500,
)  # fmt: skip
