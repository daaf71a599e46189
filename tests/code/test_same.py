"""What code is the same as: run by the libraries themselves, and never a near miss."""

import itertools
import time
import tracemalloc
from collections import Counter
from contextlib import suppress
from importlib.util import find_spec

import numpy as np
import pytest

import dmlviz
from benchmarks.lines import LINES
from dmlviz.base.addresses import split_link
from dmlviz.code import LIBRARIES, CodeRefused, read, same, same_as, same_movement, same_names
from dmlviz.code.forms import Flip, Pad, Pattern, Roll, Slicing, written
from dmlviz.code.maps import TRIAL, Map, padding_starts, search
from dmlviz.code.other_sizes import OTHERS, other_sizes
from dmlviz.code.reader import CodeReader
from dmlviz.code.recognizing import recognized
from dmlviz.code.same import SEARCH_WORK, movement_of
from dmlviz.engines import ENGINES
from dmlviz.states.pages import read_any_link
from tests.code.chains import as_library, chains, names_of
from tests.thorough import tries


def texts(code, sizes, library=None):
    return {one.text: one.kind for one in same_as(read(code, {"x": sizes}, library=library))}


@pytest.mark.parametrize(
    ("code", "sizes", "text", "kind"),
    [
        ("x.T.T", (2, 3), "x", "nothing"),
        ("x[[2, 0]].T", (3, 2), "x[2::-2].T", "line"),
        ("x[1:][1:, ::2]", (5, 6), "x[2:, ::2]", "line"),
        ("x[1:-1][:, -2:]", (5, 6), "x[1:-1, -2:]", "line"),
        ("np.ravel(x.reshape(-1)[::-1])", (5, 6), "x[::-1, ::-1].reshape(-1)", "line"),
        ("x[None][:, :, None][0]", (5, 6), "x[:, None]", "line"),
        ("np.rot90(x).T[::-1]", (3, 4), "x[::-1, ::-1]", "line"),
        (
            "np.rot90(x).T[::-1]",
            (3, 4),
            "Slice(input_window_offsets=(0, 0), input_window_sizes=(3, 4), "
            "input_window_strides=(-1, -1))",
            "operator",
        ),
        (
            "x.reshape(1, 2, 2, 2, 2, 3).transpose(0, 1, 4, 2, 5, 3).reshape(1, 2, 4, 6)",
            (1, 8, 2, 3),
            "F.pixel_shuffle(x, 2)",
            "line",
        ),
        (
            "x.reshape(1, 2, 2, 2, 2, 3).transpose(0, 1, 4, 2, 5, 3).reshape(1, 2, 4, 6)",
            (1, 8, 2, 3),
            "DepthToSpace(block_size=2, order='COLUMN_ROW_DEPTH')",
            "operator",
        ),
        ("x.reshape(2, 3, 4).transpose(2, 0, 1)", (6, 4), "rearrange", "pattern"),
        (
            "x.reshape(1, 3, 2, 4, 4).swapaxes(1, 2).reshape(x.shape)",
            (1, 6, 4, 4),
            "nn.Chan",
            "line",
        ),
        (
            "np.concatenate([x, x[::-1]])",
            (3, 2),
            "np.pad(x, [(0, 3), (0, 0)], mode='symmetric')",
            "line",
        ),
        ("np.concatenate([x[2:], x[:2]])", (5, 2), "torch.roll(x, -2, dims=0)", "line"),
        ("np.pad(np.pad(x, 1), 1)", (2, 3), "F.pad(x, (2, 2, 2, 2))", "line"),
        ("np.insert(x.T, 1, 7, axis=0)", (3, 2), "np.insert(x.T, 1, 7, axis=0)", "line"),
        ("np.where(np.tri(4, dtype=bool), x, 0)", (4, 4), "np.tril(x)", "line"),
        ("np.repeat(np.tril(x), 2, axis=1)", (4, 4), "np.repeat(np.tril(x), 2, axis=1)", "line"),
        ("x.T.reshape(3, 8).T", (6, 4), "x.reshape((8, 3), order='F')", "line"),
        ("np.diagonal(x[1:])", (4, 4), "x[1:, :3].diagonal()", "line"),
        ("np.tile(x, 2)[:, 3:9]", (2, 6), "np.roll(x, 3, axis=1)", "line"),
    ],
)
def test_names(code, sizes, text, kind):
    names = texts(code, sizes)
    assert kind in {k for t, k in names.items() if t.startswith(text)}, names


@pytest.mark.parametrize(
    ("code", "library", "sizes", "indices", "operator", "settings"),
    [
        ("np.take(x, i, axis=0)", "numpy", (3, 4), [2, 0, 2], "Gather", (0, 1)),
        ("np.take(x, i, axis=1)", "numpy", (3, 4), [[2, 0, 2]], "Gather", (2, 2)),
        ("x[i]", "torch", (5, 3), [2, 0], "Gather", (0, 1)),
        (
            "np.take_along_axis(x, i, axis=1)",
            "numpy",
            (3, 4),
            [[2], [0], [3]],
            "GatherElements",
            (1,),
        ),
        ("torch.gather(x, 1, i)", "torch", (3, 4), [[2], [0], [3]], "GatherElements", (1,)),
        ("tf.gather_nd(x, i)", "tensorflow", (3, 4), [[2, 1], [0, 3]], "GatherND", (2, 2, 0)),
        ("x.scatter_(0, i, u)", "torch", (3, 3), [[2, 0, 1]], "Scatter", (0,)),
        ("y = x.copy()\ny[i] = u\ny", "numpy", (4, 3), [2, 0], "ScatterND", (2, 2)),
    ],
)
def test_code_with_indices_is_an_operator_with_any_indices(
    code, library, sizes, indices, operator, settings
):
    indices = np.array(indices)
    updates = indices.shape if operator == "Scatter" else (*indices.shape, *sizes[1:])
    tensors = {"x": sizes, "i": indices.shape}
    if operator.startswith("Scatter"):
        tensors["u"] = updates
    chain = read(code, tensors, {"i": indices}, library)
    every = [one for one in same_as(chain) if one.any_indices]
    assert every, same_as(chain)
    made = dmlviz.states.read_link(every[0].link).state
    assert made.operator() == getattr(dmlviz, operator)(*settings)
    (output,) = chain.outputs.values()
    (source,) = dmlviz.run(made.operator(), made.inputs()).sources.values()
    assert np.array_equal(source.ravel(), chain.maps[output].ravel())


def test_an_operator_that_only_these_indices_make_equal_is_not_for_every_one():
    # along a square's other axis the index would be another one
    chain = read("x[i].T", {"x": (3, 3), "i": (3,)}, {"i": np.array([0, 1, 2])}, "numpy")
    assert not [one for one in same_as(chain) if one.any_indices]


def test_the_fewest_calls():
    gather = "x[np.array([[5, 3, 1, 0, 2, 4, 1, 0, 3, 5]]).repeat(2, 0), np.arange(10)]"
    code = f"x = x[:, ::-1]\nx = x[:, ::-1]\nx = x.T\nx = np.roll(x, 1, axis=0).T\nx = {gather}"
    found = same_as(read(code, {"x": (6, 10)}, library="numpy"))
    assert all(one.calls <= 8 for one in found)
    twice = (
        "x = np.roll(x.reshape(-1), 3).reshape(4, 6)\nx = np.pad(x, 1)\nx = np.roll(x, 3)\nx = x.T"
    )
    (chain,) = (one for one in same_as(read(twice, {"x": (4, 6)})) if one.kind == "chain")
    assert chain.calls < 5
    names = {"np": np, "x": np.arange(24).reshape(4, 6)}
    due = dict(names)
    exec(chain.text, names)
    exec(twice, due)
    np.testing.assert_array_equal(names["x"], due["x"])


@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_random_chains(library):
    pytest.importorskip("torch")
    from torch import nn

    names = names_of("torch") | {"nn": nn}
    counts = {"all": 0, "whole": 0, "lines": 0, "operators": 0}
    wrong = []
    for sizes, code, due in chains(library, tries(150), seed=33):
        try:
            chain = read(code, {"x": sizes}, library=library)
        except CodeRefused:
            continue
        if (chain.maps[chain.outputs["out"]] < 0).all():
            continue
        x = np.arange(1, np.prod(sizes) + 1).reshape(sizes)
        found = same_as(chain)
        counts["all"] += 1
        counts["whole"] += any(one.kind != "chain" for one in found)
        for one in found:
            if one.kind == "operator":
                counts["operators"] += 1
                link = split_link(one.link)
                made = dmlviz.states.read_link(one.link).state
                outputs = dmlviz.run(made.operator(), made.inputs()).outputs
                made = next(iter(outputs.values()))
                assert link.parameters
            else:
                counts["lines"] += 1
                tensor = as_library(x, {} if one.library == "numpy" else names)
                scope = {**names, "x": tensor}
                if one.kind == "chain":
                    exec(one.text, scope)
                    made = np.asarray(scope["x"])
                else:
                    made = np.asarray(eval(one.text, scope))
            if made.shape != due.shape or not np.array_equal(made, due):
                wrong.append((sizes, code, one))
    assert wrong == []
    # a line that is longer than the code is left out
    assert counts["whole"] > 0.6 * counts["all"]
    assert counts["lines"] > counts["all"] / 2
    assert counts["operators"] > counts["all"] / 20


@pytest.mark.slow
@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_what_holds_for_other_sizes_is_right_at_sizes_that_were_not_tried(library):
    pytest.importorskip(library)
    has_torch = find_spec("torch") is not None
    names = names_of("torch" if has_torch else "numpy")
    if has_torch:
        names |= {"nn": names["torch"].nn}
    lines, run = 0, 0
    for sizes, code, _due in chains(library, tries(90), seed=34):

        def again(other):
            with suppress(CodeRefused):
                made = read(code, {"x": other["x"]}, library=library)  # noqa: B023
                return made if (made.maps[made.outputs["out"]] >= 0).any() else None
            return None

        start = again({"x": sizes})
        if start is None:
            continue
        held = [one for one in same_as(start) if one.any_sizes and one.kind != "operator"]
        third = other_sizes({"x": sizes}, again, code, others=OTHERS + 3)[OTHERS:] if held else ()
        for one, chain in itertools.product(held, third):
            (other,) = chain.inputs.values()
            line = read(one.text, {"x": other}, library=one.library)
            assert movement_of(line).is_made(*chain.valued(chain.maps[chain.outputs["out"]])), (
                *(sizes, code, one.text, other),
            )
            lines += 1
            if lines % 3 or (one.library == "torch" and not has_torch):
                continue
            x = np.arange(1, np.prod(other) + 1).reshape(other)
            made = []
            for text, of in ((code, library), (one.text, one.library)):
                scope = dict(names)
                scope["x"] = as_library(x, {} if of == "numpy" else names)
                *before, last = text.split("\n")
                exec("\n".join(before), scope)
                made.append(np.asarray(eval(last.removeprefix("x = "), scope)))
            np.testing.assert_array_equal(*made, err_msg=f"{code}: {one.text} {other}")
            run += 1
    assert lines > tries(90) / 4
    assert run > tries(90) / 15


@pytest.mark.parametrize(
    ("code", "library", "sizes", "first", "never"),
    [
        ("x.permute(0, 2, 3, 1)", "torch", (1, 1, 2, 2), "x.permute(0, 2, 3, 1)", "reshape"),
        ("x.transpose(0, 2, 3, 1)", "numpy", (1, 1, 2, 2), "x.transpose(0, 2, 3, 1)", "reshape"),
        ("tf.transpose(x)", "tensorflow", (2, 3), "x.T", "reshape"),
        ("np.repeat(x, (2,))", "numpy", (4,), "repeat(x, 'w -> (w r1)', r1=2)", "Padding"),
        (
            "x[:, :, None].expand(-1, -1, 2, -1, -1).flatten(1, 2)",
            *("torch", (1, 2, 2, 3), "repeat(x, 'n c h w -> n (c r1) h w', r1=2)", "Padding"),
        ),
        (
            "x[:, :, None].expand(1, 2, 2, 2, 3).reshape(1, 4, 2, 3)",
            *("torch", (1, 2, 2, 3), "repeat(x, '1 c h w -> 1 (c r1) h w', r1=2)", "Padding"),
        ),
        ("np.rot90(x, 2)", "numpy", (1, 4), "x[::-1, ::-1]", "x[:, ::-1]"),
        (
            "np.broadcast_to(x, (2, 3))",
            *("numpy", (1, 3), "repeat(x, '1 w -> r1 w', r1=2)", "reshape"),
        ),
    ],
)
def test_what_only_sizes_make_equal_is_no_fact(code, library, sizes, first, never):
    found = same_as(read(code, {"x": sizes}, library=library))
    assert str(found[0]) == first
    assert found[0].any_sizes is not False
    assert not [one.text for one in found if one.text.startswith(never) or f".{never}" in one.text]
    reaches = [one.any_sizes is False for one in found]
    assert reaches == sorted(reaches)


def test_the_numbers_of_the_code_are_kept():
    found = same_as(read('np.pad(x, (50, 2), mode="reflect")', {"x": (10,)}))
    assert [str(one) for one in found] == [
        "Padding(padding_mode='REFLECTION', padding_value=0.0, start_padding=(50,), "
        "end_padding=(2,))",
        "np.pad(x, (50, 2), mode='reflect')",
    ]
    assert all(one.any_sizes for one in found)


@pytest.mark.parametrize(
    ("code", "sizes", "operator"),
    [
        ("F.unfold(x, 2)", (1, 2, 4, 4), "Unfold"),
        ("F.pixel_shuffle(x, 2)", (1, 8, 2, 3), "DepthToSpace"),
        ("F.pad(x, (1, 2), mode='reflect')", (1, 3, 4), "Padding"),
        ("x.tile(2, 3)", (2, 2), "Tile"),
    ],
)
def test_an_operator_of_all_sizes_comes_first(code, sizes, operator):
    first = same_as(read(code, {"x": sizes}, library="torch"))[0]
    assert str(first).startswith(f"{operator}(")
    assert first.any_sizes


@pytest.mark.parametrize("mode", ["edge", "reflect", "symmetric", "wrap"])
def test_where_padding_begins(mode):
    for n, before, after in ((9, 20, 3), (9, 0, 4), (5, 30, 2), (2, 3, 4)):
        line = np.pad(np.arange(n), (before, after), mode=mode)
        starts = padding_starts(line, n, mode)
        assert before in starts
        for start in starts:
            again = np.pad(np.arange(n), (start, line.size - n - start), mode=mode)
            assert np.array_equal(again, line)


def test_code_whose_numbers_accept_no_other_sizes():
    found = same_as(read("x.reshape(2, 3, 4).permute(0, 2, 1)", {"x": (2, 12)}))
    assert {one.any_sizes for one in found} == {None}
    # what a person would write comes before an operator whose settings are sizes
    assert [one.kind for one in found] == ["pattern", "operator"]


@pytest.mark.parametrize(
    ("code", "sizes", "indices"),
    [
        ("x[i]", (5, 3), [3, 0, 0, 2]),
        ("x[:, i]", (2, 7), [3, 0, 0, 2, 6]),
        ("x[i]", (6,), [5, 3, 1, 0, 2, 4, 1, 0, 3, 5]),
        ("np.take(x, i, axis=1)", (2, 6), [0, 1, 1, 2, 3, 3, 4, 5, 5]),
    ],
)
def test_no_line_is_longer_than_the_code(code, sizes, indices):
    indices = np.array(indices)
    chain = read(code, {"x": sizes, "i": indices.shape}, {"i": indices}, "numpy")
    found = same_as(chain)
    assert "Gather" in str(found[0])
    assert all(len(one.text) <= len(code) for one in found if one.kind != "operator")


@pytest.mark.parametrize("count", [4_096, 4_097, 65_536])
def test_what_no_address_holds_is_left_out(count):
    indices = np.arange(count)[::-1] % 5
    chain = read("x[i]", {"x": (5,), "i": (count,)}, {"i": indices}, "numpy")
    found = [one.text for one in same_as(chain) if one.any_indices]
    assert found == (
        ["Gather(axis=0, index_dimensions=1)", "GatherElements(axis=0)"] * (count < 4_097)
    )


def test_an_operator_that_would_make_a_larger_output_is_not_run():
    indices = np.random.default_rng(0).permutation(4_096)
    sizes = {"x": (1, 4_096, 2, 2), "i": indices.shape}
    chain = read("x[:, i]", sizes, {"i": indices}, "torch")
    tracemalloc.start()
    assert [str(one) for one in same_as(chain)] == ["Gather(axis=1, index_dimensions=1)"]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50_000_000


def test_the_search_ends_with_its_work():
    chain = read("F.unfold(x, 3)", {"x": (1, 3, 8, 8)}, library="torch")
    found, enough = same_as(chain), search(most=10_000_000)
    assert same_as(chain, enough) == found
    spent = 10_000_000 - enough.left["comparisons"]
    assert 0 < spent < SEARCH_WORK
    # what counts the work is the same on every machine
    again = search(most=10_000_000)
    same_as(chain, again)
    assert again.left == enough.left
    little = search(most=spent // 4)
    assert len(same_as(chain, little)) <= len(found)
    assert little.left["comparisons"] < 0
    assert same_as(chain, search(most=0)) == ()


def test_a_usual_line_costs_few_readings_runs_and_trials(monkeypatch):
    """Counts, because times differ: 45 readings, 66 runs and 3,683 trials were 99 ms."""
    counts = Counter()

    def counted(of, name, kind):
        plain = getattr(of, name)

        def counting(*args, **kwargs):
            counts[kind] += 1
            return plain(*args, **kwargs)

        monkeypatch.setattr(of, name, counting)

    counted(CodeReader, "outputs", "readings")
    counted(type(ENGINES["numpy"]), "run", "runs")
    for code, sizes in LINES.items():
        chain = read(code, dict(zip("xy", sizes, strict=False)))
        counts.clear()
        work = search(most=SEARCH_WORK)
        same_as(chain, work)
        counts["trials"] = (SEARCH_WORK - work.left["comparisons"]) // TRIAL
        limits = {"readings": 36, "runs": 44, "trials": 1_000}
        assert all(counts[kind] <= limits[kind] for kind in limits), (code, counts)


def test_names_of_many_chains_end_with_their_work(monkeypatch):
    turned = [read("np.rot90(x)", {"x": (2, n)}) for n in range(2, 30)]
    shuffled = read("x.permute(0, 2, 3, 1)", {"x": (1, 1, 2, 2)})
    assert same_names([shuffled, turned[0]]) == {0: "x.permute(0, 2, 3, 1)", 1: "x[:, ::-1].T"}
    # only by chance of its size: no name
    assert same_names([read("x.squeeze(0)", {"x": (1, 3)}, library="torch")]) == {}
    monkeypatch.setattr(same, "NAMES_WORK", 100_000)
    names = same_names(turned)
    assert 0 < len(names) < len(turned)
    assert [*names] == [*range(len(names))]


def test_what_is_proposed_wrongly_is_not_returned(monkeypatch):
    movement = Map((3, 4), np.arange(12).reshape(3, 4)[::-1])
    assert [one.kind for one in same_movement(movement)] == [
        *("operator", "operator", "line", "line")
    ]
    for propose in ("recognized", "orders_of_blocks"):
        monkeypatch.setattr(same, propose, lambda *_args: iter([[Flip((1,))]]))
    monkeypatch.setattr(same, "equal_operators_of_all", lambda *_args: iter(()))
    assert list(same_movement(movement)) == []


@pytest.mark.parametrize(("value", "count"), [(5, 2), (4, 0)])
def test_a_proposal_with_another_constant_is_not_returned(monkeypatch, value, count):
    movement = Map((2,), np.array([-1, 0, 1, -1]), (5,))
    pad = Pad(((1, 1),), "constant", ((value, value),))
    monkeypatch.setattr(same, "recognized", lambda *_args: iter([[pad]]))
    lines = [one for one in same_movement(movement) if one.kind == "line"]
    assert len(lines) == count


def test_constants_are_compared_by_value():
    padded = texts("np.pad(x, 1, constant_values=5)", (2, 3))
    assert padded["np.pad(x, 1, constant_values=5)"] == "line"
    assert not any(kind == "operator" and "padding_value=0" in t for t, kind in padded.items())
    mixed = movement_of(read("np.pad(np.pad(x, 1, constant_values=5), 1)", {"x": (2, 3)}))
    assert {one.kind for one in same_movement(mixed)} == {"line"}


def test_links_open_what_they_name():
    for one in same_as(read("img.T[::-1]", {"img": (2, 3)})):
        if one.kind == "operator":
            continue
        opened = read_any_link(one.link)
        assert opened.problems == ()
        trace = opened.state.trace()
        assert trace.source.tolist() == [[2, 5], [1, 4], [0, 3]]
        assert "img" in one.text


def test_several_inputs_have_none():
    assert same_as(read("np.concatenate([x, y])", {"x": (2, 3), "y": (2, 3)})) == ()


@pytest.mark.parametrize("sizes", [(65_536,), (16, 16, 16, 16), (2,) * 8])
def test_a_search_without_a_result_ends(sizes):
    count = int(np.prod(sizes))
    source = np.random.default_rng(1).permutation(count).reshape(sizes)
    shapes = tuple((2**k, count // 2**k) for k in range(1, 9))
    movement = Map(sizes, source, shapes=shapes)
    started = time.process_time()
    assert list(recognized(movement)) == []
    assert time.process_time() - started < 3


def test_calls_as_text():
    calls = [
        Slicing((None, (2, -1, -1))),
        Pattern((("h",), ("w",)), (("w",), ("h",))),
        Roll(-1, 0),
        Pad(((0, 0), (1, 2)), "constant", ((None, None), (5, 5))),
    ]
    assert written(calls, (2, 3), "numpy").text == (
        "np.pad(np.roll(x[:, ::-1].T, -1, axis=0), [(0, 0), (1, 2)], constant_values=5)"
    )
    assert written(calls, (2, 3), "torch").text == (
        "F.pad(torch.roll(x.flip(1).T, -1, dims=0), (1, 2), value=5)"
    )


@pytest.mark.parametrize(
    ("code", "first"),
    [
        ("mx.concatenate([x[:, 1:], x[:, :1]], axis=1)", ("mx.roll(x, -1, axis=1)", "mlx")),
        ("mx.transpose(mx.flip(mx.transpose(x), axis=1))", ("x[::-1]", "mlx")),
        ("ops.concatenate([x[:, 1:], x[:, :1]], axis=1)", ("np.roll(x, -1, axis=1)", "numpy")),
    ],
)
def test_a_line_that_is_the_same_is_of_the_library_if_lines_are_written_in_it(code, first):
    every = dmlviz.code(code, x=(3, 4)).same_as
    assert next((one.text, one.library) for one in every if one.kind == "line") == first
    assert LIBRARIES["mlx"].line_module
    assert not LIBRARIES["keras"].line_module
