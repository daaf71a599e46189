"""A usual line of code, read, and read with all that it is the same as, beside Python's parser.

``python -m benchmarks.lines`` prints a table, in processor time. A line's time is the least of
several rounds, in which the three take turns; absolute figures are this machine's: read the ratio.
"""

from __future__ import annotations

import ast
import time
from collections.abc import Callable
from typing import TypeVar

from benchmarks.tables import late, middle, table
from dmlviz.code import same_as
from dmlviz.code.chain import read
from dmlviz.code.source import parsed
from dmlviz.tensors.types import Sizes

ROUNDS = 7

T = TypeVar("T")

LINES: dict[str, tuple[Sizes, ...]] = {
    "x.T": ((3, 4),),
    "x.reshape(2, 6)": ((3, 4),),
    "x.reshape(2, -1).T": ((3, 4),),
    "x[::-1]": ((3, 4),),
    "x[:, 1:3]": ((3, 4),),
    "x[::2, ::-1]": ((4, 6),),
    "x[None, :, :, None]": ((3, 4),),
    "x[[2, 0]]": ((3, 4),),
    "np.transpose(x, (0, 2, 1))": ((2, 3, 4),),
    "np.moveaxis(x, 0, -1)": ((2, 3, 4),),
    "np.flip(x, 1)": ((3, 4),),
    "np.roll(x, 1, axis=1)": ((3, 4),),
    "np.rot90(x)": ((3, 4),),
    "np.tile(x, (2, 2))": ((2, 3),),
    "np.repeat(x, 2, axis=0)": ((2, 3),),
    "np.pad(x, 1)": ((3, 4),),
    "np.pad(x, 2, mode='reflect')": ((3, 4),),
    "np.concatenate([x, y], axis=1)": ((3, 2), (3, 4)),
    "np.stack([x, y])": ((3, 4), (3, 4)),
    "np.take_along_axis(x, np.array([[1, 0], [0, 2]]), 1)": ((2, 3),),
    "np.tril(x)": ((4, 4),),
    "x.permute(0, 2, 3, 1)": ((1, 2, 3, 4),),
    "x.view(2, 3, 2, 2).permute(0, 2, 1, 3).reshape(2, 12)": ((2, 12),),
    "x.unflatten(1, (2, 3)).transpose(1, 2).flatten(1)": ((2, 6),),
    "x.unsqueeze(1).expand(-1, 3, -1)": ((2, 4),),
    "x.flatten(1)": ((2, 3, 4),),
    "torch.cat([x, y], dim=0)": ((2, 3), (1, 3)),
    "torch.roll(x, (1, 1), (0, 1))": ((3, 4),),
    "F.pad(x, (1, 2), value=5)": ((3, 4),),
    "F.pixel_shuffle(x, 2)": ((1, 4, 2, 3),),
    "F.interpolate(x, scale_factor=2)": ((1, 1, 2, 3),),
    "F.unfold(x, 2)": ((1, 1, 3, 3),),
    "rearrange(x, 'b (h w) c -> b c h w', h=2)": ((1, 6, 2),),
    "rearrange(x, 'b c (h p) (w q) -> b (h w) (p q c)', p=2, q=2)": ((1, 2, 4, 4),),
    "repeat(x, 'h w -> (h 2) (w 2)')": ((2, 3),),
    "tf.transpose(x, [1, 0])": ((3, 4),),
    "tf.reverse(x, [1])": ((3, 4),),
    "tf.nn.space_to_depth(x, 2)": ((1, 4, 4, 1),),
    "jnp.swapaxes(x, 0, 1)[:2]": ((3, 4),),
    "jnp.where(jnp.array([True, False, True]), x, 0)": ((2, 3),),
}
"""Lines as people have them, of all libraries, and the sizes of x and y."""


def main() -> None:
    """Print the table, and the slowest lines."""
    rounds = [[_times(code, sizes) for code, sizes in LINES.items()] for _round in range(ROUNDS)]
    least = [
        [min(one) for one in zip(*of_line, strict=True)] for of_line in zip(*rounds, strict=True)
    ]
    parser, reading, search = zip(*least, strict=True)
    rows = [
        [
            name,
            len(times),
            *(f"{each:.2f}" for each in (middle(times), late(times), max(times))),
            f"{middle(times) / middle(parser):.0f}",
        ]
        for name, times in (("read", reading), ("with what it is the same as", search))
    ]
    head = ["a usual line", "lines", "p50 ms", "p95 ms", "worst ms", "times Python's parser"]
    print(table(head, rows))
    slowest = sorted(zip(search, LINES, strict=True), reverse=True)[:5]
    print("\nThe slowest, in ms:\n")
    print(table(["line", "ms"], [[f"`{code}`", f"{taken:.1f}"] for taken, code in slowest]))


def _times(code: str, sizes: tuple[Sizes, ...]) -> tuple[float, float, float]:
    """Milliseconds for Python's parser, for a reading, and for that with all that is the same."""
    named = dict(zip("xy", sizes, strict=False))
    parser, _tree = _timed(lambda: ast.parse(code))
    # the first reading of a line
    parsed.cache_clear()
    reading, chain = _timed(lambda: read(code, named))
    search, _same = _timed(lambda: same_as(chain))
    return parser, reading, reading + search


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    begun = time.process_time()
    made = work()
    return 1000 * (time.process_time() - begun), made


if __name__ == "__main__":
    main()
