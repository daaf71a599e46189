"""Why elements move: every sentence is true, and its clauses alone say where all elements come from."""

import re

import numpy as np
import pytest

import dmlviz
from dmlviz.code import CodeRefused
from dmlviz.movement.reasons import clauses_of
from tests.code.chains import chains
from tests.thorough import tries

PLACE = r"(?:row (?P<{0}r>\d+), column (?P<{0}c>\d+)|element (?P<{0}i>\d+)|\w+\[(?P<{0}x>[\d, ]*)\]|\w+)"
SOURCE = re.compile(
    f"{PLACE.format('a')} comes from {PLACE.format('b')}(?: of (?P<name>\\w+))?\\.$"
)
COUNTED = re.compile(
    rf"element (\d+), counted from 0, goes from {PLACE.format('b')} to {PLACE.format('a')}\.$"
)
NOUN = r"(?P<noun>rows|columns|elements|indices of dimension (?P<d>\d+))"
ENDS = rf"(?P<before>\d+) before the {NOUN} and (?P<after>\d+) after them "


def index_of(found, side):
    row, column, i, x = (found[f"{side}{key}"] for key in "rcix")
    if row is not None:
        return int(row), int(column)
    if i is not None:
        return (int(i),)
    return tuple(int(k) for k in x.split(",")) if x else ()


def dimension(found):
    return int(found["d"]) if found["d"] else int(found["noun"] == "columns")


def moved(clause, x):
    """What one clause about a dimension does to a tensor of numbers; None if it is another one."""

    def matched(pattern):
        return re.fullmatch(pattern, clause)

    if "…" in clause:
        return None
    if found := matched(rf"{NOUN} in reverse"):
        return np.flip(x, dimension(found))
    if found := matched(rf"{NOUN} move on by (\d+), and the last come to the front"):
        return np.roll(x, int(found[3]), dimension(found))
    if found := matched(rf"{NOUN} move back by (\d+), and the first come to the end"):
        return np.roll(x, -int(found[3]), dimension(found))
    if found := matched(
        r"all elements move on by (\d+) in their order, and the last come to the front"
    ):
        return np.roll(x, int(found[1]))
    if found := matched(rf"each of the {NOUN} is repeated (\d+) times"):
        return np.repeat(x, int(found[3]), dimension(found))
    if found := matched(rf"all {NOUN} together are repeated (\d+) times"):
        return np.tile(x, [int(found[3]) if d == dimension(found) else 1 for d in range(x.ndim)])
    if found := matched(
        r"(?:(row|column|element)s?|ind(?:ex|ices)) ([\d, ]*\d)(.*) (?:is|are) taken"
    ):
        d = int(found[3].split()[-1]) if found[3] else int(found[1] == "column")
        return np.take(x, [int(k) for k in found[2].split(",")], d)
    if found := matched(rf"{ENDS}(.*)"):
        modes = {
            "repeat the edge": "edge",
            "mirror them without the edge": "reflect",
            "mirror them with the edge": "symmetric",
            "come from the other end": "wrap",
        }
        widths = [(0, 0)] * x.ndim
        widths[dimension(found)] = int(found["before"]), int(found["after"])
        return np.pad(x, widths, modes[found[5]])
    if found := matched(r"the diagonal of dimensions (\d+) and (\d+) is taken"):
        return np.diagonal(x, 0, int(found[1]), int(found[2]))
    return None


def rebuilt(clauses, sizes, out):
    """The sources that clauses say; None if one of them says less."""
    x = np.arange(np.prod(sizes)).reshape(sizes)
    order, alike, widths = list(range(x.ndim)), [], [(0, 0)] * len(out)
    for clause in clauses:
        if found := re.fullmatch(rf"{ENDS}are constants", clause):
            widths[dimension(found)] = int(found["before"]), int(found["after"])
        elif found := re.fullmatch(r"all (\d+) .* are alike", clause):
            alike += [d for d, n in enumerate(out) if n == int(found[1])]
        elif clause == "rows and columns are exchanged":
            order = [1, 0]
        elif found := re.fullmatch(r"dimensions (\d+) and (\d+) are exchanged", clause):
            one, other = int(found[1]), int(found[2])
            order[one], order[other] = other, one
        elif found := re.fullmatch(r"the dimensions are in the order ([\d, ]+)", clause):
            listed = [int(d) for d in found[1].split(",")]
            order = [d for d in order if d not in listed] + listed
        elif clause == "the order of the elements stays if the first index runs fastest":
            return x.reshape(out, order="F")
        elif found := re.fullmatch(r"of all elements in their order: (.*)", clause):
            return moved(found[1], x.ravel()).reshape(out)
        elif clause in (
            "the order of the elements stays",
            "every element stays",
            "only dimensions of size 1 change",
        ):
            return x.reshape(out)
        else:
            new = moved(clause, x)
            if new is None or "diagonal" in clause:
                return None
            x = new
    if alike:
        return None
    x = x.transpose(order)
    inner = np.array(out) - [sum(pair) for pair in widths]
    if x.size != np.prod(inner):
        return None
    return np.pad(x.reshape(inner), widths, constant_values=-1)


@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_every_sentence_of_random_chains_is_true(library):
    if library == "torch":
        pytest.importorskip("torch")
    counts = {"places": 0, "clauses": 0, "rebuilt": 0}
    for sizes, code, _due in chains(library, tries(120), seed=48):
        try:
            trace = dmlviz.code(code, library=library, x=sizes)
        except CodeRefused:
            continue
        every = [(step.trace, step.trace.movement) for step in trace.steps]
        for run, movement in [*every, (trace, trace.movement)]:
            if len(run.outputs) != 1:
                continue
            (source,) = (output.source for output in movement.outputs.values())
            steps = run.moves.steps
            for step in steps:
                found = SOURCE.search(step.caption) or COUNTED.search(step.caption)
                if not found:
                    continue
                named = found.groupdict().get("name")
                first = 0
                for name, of in movement.inputs.items():
                    if len(movement.inputs) == 1 or name == named:
                        break
                    first += int(np.prod(of))
                else:
                    continue
                due = first + int(np.ravel_multi_index(index_of(found, "b"), of))
                assert source[index_of(found, "a")] == due, (code, step.caption)
                counts["places"] += 1
            if len(movement.inputs) == 1:
                (of,) = movement.inputs.values()
                clauses = clauses_of(movement.inputs, source)
                counts["clauses"] += bool(clauses)
                made = rebuilt(clauses, of, source.shape) if clauses else None
                if made is not None:
                    np.testing.assert_array_equal(made, source, str((code, clauses)))
                    counts["rebuilt"] += 1
    assert counts["places"] > 200
    assert counts["clauses"] > 60
    assert counts["rebuilt"] > 50


@pytest.mark.parametrize(
    ("code", "sizes", "caption"),
    [
        (
            "x.T",
            (3, 2),
            "rows and columns are exchanged; row 0, column 1 comes from row 1, column 0.",
        ),
        (
            "x.transpose(0, 2, 1)",
            (1, 2, 3),
            "dimensions 1 and 2 are exchanged; out[0, 0, 1] comes ",
        ),
        (
            "np.moveaxis(x, 0, -1)",
            (2, 3, 4),
            "the dimensions are in the order 1, 2, 0; out[0, 0, 1]",
        ),
        (
            "x.reshape(2, 6)",
            (3, 4),
            "the order of the elements stays; element 4, counted from 0, goes",
        ),
        (
            "np.pad(x, ((1, 2), (0, 0)))",
            (2, 3),
            "1 before the rows and 2 after them are constants; ",
        ),
        (
            "np.pad(x, 2, mode='reflect')",
            (4,),
            "2 before the elements and 2 after them mirror them wi",
        ),
        (
            "np.pad(x, (0, 2), mode='edge')",
            (3,),
            "0 before the elements and 2 after them repeat the edg",
        ),
        ("x[::-1]", (4,), "elements in reverse; element 0 comes from element 3."),
        (
            "np.roll(x, 1)",
            (5,),
            "elements move on by 1, and the last come to the front; element 0 come",
        ),
        (
            "np.roll(x, -1, 1)",
            (2, 3),
            "columns move back by 1, and the first come to the end; row 0, col",
        ),
        (
            "np.roll(x, 1)",
            (2, 3),
            "all elements move on by 1 in their order, and the last come to the",
        ),
        (
            "np.repeat(x, 2, axis=0)",
            (2, 3),
            "each of the rows is repeated 2 times; row 0, column 2 com",
        ),
        (
            "np.tile(x, (1, 2))",
            (2, 3),
            "all columns together are repeated 2 times; row 0, column 3 comes",
        ),
        (
            "np.concatenate([x, y])",
            (2, 3),
            "rows 0 to 1 come from x; rows 2 to 3 come from y; row 0, co",
        ),
        (
            "np.stack([x, y], 1)",
            (2, 3),
            "index 0 of dimension 1 comes from x; index 1 of dimension 1 come",
        ),
        (
            "np.split(x, 2, 1)[1]",
            (2, 4),
            "columns 0, 1 are taken; row 0, column 1 comes from row 0, colu",
        ),
        ("x[[2, 0]]", (3, 2), "rows 2, 0 are taken; row 0, column 0 comes from row 2, column 0."),
        (
            "np.repeat(x, 2)",
            (2, 3),
            "of all elements in their order: each of the elements is repeated 2",
        ),
        (
            "x.reshape((3, 2), order='F')",
            (2, 3),
            "the order of the elements stays if the first index ",
        ),
        ("x[1]", (3, 2), "row 1 is taken; out[0] comes from x[1, 0]."),
        (
            "x.diagonal()",
            (3, 3),
            "the diagonal of dimensions 0 and 1 is taken; out[0] comes from x[0, 0].",
        ),
        (
            "np.tril(x)",
            (3, 3),
            "every element stays or becomes a constant; row 0, column 1 is the constan",
        ),
        (
            "x[:, None]",
            (2, 3),
            "only dimensions of size 1 change; out[0, 0, 2] comes from x[0, 2].",
        ),
        ("x[[0, 2], [1, 0]]", (3, 2), "out[0] = "),
        (
            "np.insert(x, 1, 9, axis=0)",
            (2, 2),
            "1 between the rows are constants; row 0, column 1 comes f",
        ),
        ("np.broadcast_to(x, (2, 3))", (3,), "all 2 rows are alike; out[0, 2] comes from x[2]."),
        (
            "z = x.copy()\nz[1:, ::2] = y\nz",
            (3, 3),
            "4 elements come from y; the others come from z1; ",
        ),
    ],
)
def test_a_sentence_for_each_kind_of_movement(code, sizes, caption):
    more = {"y": (2, 2) if "::2" in code else sizes} if "y" in code.replace("np.copy", "") else {}
    more = more if re.search(r"\by\b", code) else {}
    run = dmlviz.code(code, x=sizes, **more).steps[-1].trace
    assert caption in run.moves.steps[0].caption
