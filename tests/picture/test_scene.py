import itertools

import numpy as np
import pytest
from hypothesis import given

import dmlviz
from dmlviz.base.words import speaking
from dmlviz.engines import ENGINES
from dmlviz.engines.numpy import NumpyEngine
from dmlviz.picture.scene import STAGE_LIMIT, labels, layout
from dmlviz.tensors import print_label
from tests.one_input import moves
from tests.several import chained, cut, picked
from tests.strategies import runs, sizes, tensors


def test_a_matrix_stands_as_it_is():
    found = layout((2, 3))
    x, y = found.positions()
    assert x.tolist() == [0, 1, 2, 0, 1, 2]
    assert y.tolist() == [0, 0, 0, 1, 1, 1]
    assert (found.width, found.height) == (3, 2)
    assert list(found.planes()) == [((), 0, 0)]


def test_planes_stand_in_reading_order_with_air_between():
    found = layout((4, 3, 3))
    assert [at for at, _x, _y in found.planes()] == [(0,), (1,), (2,), (3,)]
    assert [(x, y) for _at, x, y in found.planes()] == [(0, 0), (3.9, 0), (0, 4.35), (3.9, 4.35)]
    assert (found.width, found.height) == (6.9, 7.35)


def test_outer_dimensions_stand_further_apart():
    found = layout((2, 2, 2, 2, 2, 2))
    gaps = [max(axis.dx, axis.dy) for axis in found.axes[:4]]
    assert gaps == sorted(gaps, reverse=True)
    assert len(set(gaps)) == 4


def test_a_long_row_is_folded_like_a_text():
    found = layout((70,))
    x, y = found.positions()
    assert x[[0, 31, 32, 69]].tolist() == [0, 31, 0, 5]
    assert y[[0, 31, 32, 69]].tolist() == [0, 0, 1.4, 2.8]
    assert (found.width, found.height) == (32, 3.8)
    assert layout((1, 1, 70)).width == 32
    assert layout((32,)).width == 32
    assert layout((33,)).height == 2.4


def test_a_matrix_is_never_folded():
    assert (layout((2, 70)).width, layout((2, 70)).height) == (70, 2)


@given(sizes())
def test_cells_lie_apart_and_inside(shape):
    found = layout(shape)
    x, y = found.positions()
    assert len(x) == len(y) == np.prod(shape)
    assert x.min() == y.min() == 0
    assert x.max() + 1 == pytest.approx(found.width)
    assert y.max() + 1 == pytest.approx(found.height)
    if len(x) > 400:
        x, y = x[:400], y[:400]
    near = (abs(x[:, None] - x) < 1 - 1e-9) & (abs(y[:, None] - y) < 1 - 1e-9)
    np.fill_diagonal(near, False)
    assert not near.any()


@given(sizes(ranks=(3, 8)))
def test_planes_are_where_their_cells_are(shape):
    found = layout(shape)
    x, y = (part.reshape(shape) for part in found.positions())
    planes = list(found.planes())
    assert [at for at, _x, _y in planes] == list(itertools.product(*map(range, shape[:-2])))
    for at, left, top in planes:
        assert left == pytest.approx(x[at].min())
        assert top == pytest.approx(y[at].min())
        rows, columns = shape[-2:]
        assert x[at].max() == pytest.approx(left + columns - 1)
        assert y[at].max() == pytest.approx(top + rows - 1)


@given(runs())
def test_a_scene_holds_the_whole_run(run):
    operator, x = run
    found = dmlviz.scene(dmlviz.run(operator, x))
    steps = moves(operator, x.shape)
    assert found.steps == steps.steps
    np.testing.assert_array_equal(found.step_of, steps.step_of)
    np.testing.assert_array_equal(found.via, steps.via)
    assert found.single
    assert [t.layout for t in found.input.tensors] == [layout(x.shape)]
    assert [t.layout for t in found.output.tensors] == [layout(found.trace.output.shape)]
    assert (found.input.width, found.input.height) == (
        layout(x.shape).width,
        layout(x.shape).height,
    )
    np.testing.assert_array_equal(found.source, found.trace.source.ravel())
    assert found.drivers is None


def test_via_goes_where_the_engine_does_not_bear_it_out(monkeypatch):
    class Wrong(NumpyEngine):
        def run(self, operator, inputs, form=""):
            ran = super().run(operator, inputs)
            (x,) = inputs.values()
            output = ran.output
            output[0] = x[1]
            return ran

    monkeypatch.setitem(ENGINES, "wrong", Wrong())
    operator, x = dmlviz.Padding("SYMMETRIC", (3,), (0,)), np.array([4, 5, 6])
    assert dmlviz.scene(dmlviz.run(operator, x)).via.tolist() == [5, 4, 3, -1, -1, -1]
    assert dmlviz.scene(dmlviz.run(operator, x, "wrong")).via.tolist() == [-1, 4, 3, -1, -1, -1]


def test_a_movement_has_so_many_steps():
    one = np.zeros((1, 129 * 129, 1, 1), np.uint8)
    with pytest.raises(dmlviz.TooLarge, match="16,641 steps; the limit is 16,384"):
        dmlviz.scene(dmlviz.run(dmlviz.DepthToSpace(129), one))
    assert len(dmlviz.scene(dmlviz.run(dmlviz.DepthToSpace(128), one[:, : 128 * 128])).steps)


@pytest.mark.parametrize(
    ("operator", "shape", "field"),
    [
        (dmlviz.Tile((1, 1)), (256, 257), "sizes"),
        (dmlviz.Tile((256, 257)), (1, 1), "output_sizes"),
    ],
)
def test_the_stage_has_room_for_so_many(operator, shape, field, monkeypatch):
    trace = dmlviz.run(operator, np.zeros(shape, np.uint8))
    monkeypatch.setattr(type(operator), "moves", None)
    with pytest.raises(dmlviz.TooLarge, match="65,792 elements; the limit is 65,536") as caught:
        dmlviz.scene(trace)
    assert caught.value.field == field


def test_the_stage_has_room_for_all_of_its_limit():
    assert STAGE_LIMIT == 65_536
    assert dmlviz.scene(dmlviz.run(dmlviz.Tile((128, 128)), np.zeros((1, 1)))).steps


@given(tensors())
def test_every_cell_has_its_own_values_label(x):
    assert labels(x) == [print_label(value) for value in x.ravel()]


def test_labels():
    assert labels(np.array([[1.5, -0.0], [np.nan, -np.inf]])) == ["1.5", "-0", "NaN", "-∞"]


def test_scenes_that_show_the_same_share_their_digest():
    x = np.arange(6).reshape(1, 2, 3)

    def digest(operator=None, x=x, directions=None):
        operator = operator or dmlviz.Tile((2, 1, 1))
        return dmlviz.scene(dmlviz.run(operator, x), directions).digest

    others = [
        digest(dmlviz.Tile((1, 2, 1))),
        digest(x=x + 1),
        digest(x=x.astype(np.float32)),
        digest(x=x.reshape(2, 1, 3)),
        digest(directions={0: "across"}),
        *(
            digest(dmlviz.Padding("CONSTANT", (1, 0, 0), (0, 0, 0), v), x * 1.0)
            for v in (0.0, -0.0)
        ),
    ]
    with speaking("ko"):
        others.append(digest())
    assert digest() == digest()
    assert len({digest(), *others}) == 1 + len(others)


def test_cells_are_numbered_values_first_and_drawn_in_the_structures_order():
    found = dmlviz.scene(picked((3, 4), (2, 0, 2), 0))
    values, control = found.input.tensors
    assert (values.name, values.role, values.first) == ("InputTensor", "values", 0)
    assert (control.name, control.role, control.first) == ("IndicesTensor", "control", 12)
    assert (control.x, control.y) == (0, 3 + found.input.air)
    assert found.source.tolist() == [8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11]
    assert found.drivers.tolist() == [12] * 4 + [13] * 4 + [14] * 4
    assert found.input_labels == [*map(str, range(1, 13)), "2", "0", "2"]
    assert found.input.at(14) == (control, (0, 2))


def test_a_source_in_another_tensor_is_the_number_of_its_cell():
    found = dmlviz.scene(chained((2, 2), (1, 2), axis=0))
    assert [t.first for t in found.input.tensors] == [0, 4]
    assert found.source.tolist() == list(range(6))
    assert found.drivers is None


def test_cells_of_several_outputs_are_numbered_one_after_the_other():
    found = dmlviz.scene(cut((2, 3), (1, 2), axis=1))
    assert [(t.name, t.first) for t in found.output.tensors] == [
        ("OutputTensors[0]", 0),
        ("OutputTensors[1]", 2),
    ]
    assert found.source.tolist() == [0, 3, 1, 2, 4, 5]
    assert found.output_labels == ["1", "4", "2", "3", "5", "6"]
    x, y = found.output.positions()
    assert x.tolist() == [0, 0, 0, 1, 0, 1]
    assert y[1] == 1
    assert (y[2:4] == 2 + found.output.air).all()


@pytest.mark.parametrize("count", range(1, 9))
@pytest.mark.parametrize("shape", [(2, 2), (1, 9), (9, 1), (3, 4, 5), (40, 40)])
def test_tensors_of_a_side_stand_apart(count, shape):
    side = dmlviz.scene(chained(*[shape] * count, axis=0)).input
    for a, b in itertools.combinations(side.tensors, 2):
        beside = b.x >= a.x + a.layout.width + 0.5 or a.x >= b.x + b.layout.width + 0.5
        assert beside or b.y >= a.y + a.layout.height + side.air - 1e-9
    x, y = side.positions()
    assert y.max() + 1 == pytest.approx(side.height)
    assert x.max() + 1 <= side.width + 1e-9


def test_all_tensors_of_a_side_share_the_limit(monkeypatch):
    trace = chained((256, 128), (256, 129), axis=1)
    with pytest.raises(dmlviz.TooLarge, match="65,792 elements; the limit is 65,536") as caught:
        dmlviz.scene(trace)
    assert caught.value.field == "sizes"
