from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest
from hypothesis import given

import dmlviz
from dmlviz.tensors import data_type_of, read_literal, read_sizes
from tests.strategies import bits, runs


def parts(address):
    split = urlsplit(address)
    assert split.scheme == split.netloc == split.fragment == ""
    found = parse_qsl(split.query, keep_blank_values=True, strict_parsing=True)
    assert len(dict(found)) == len(found)
    return split.path, dict(found)


def test_tile():
    x = np.arange(1, 7, dtype=np.float32).reshape(1, 1, 2, 3)
    assert parts(dmlviz.link(dmlviz.Tile((1, 1, 3, 3)), x, feature_level="5_0")) == (
        "/tile",
        {
            "sizes": "1,1,2,3",
            "data_type": "FLOAT32",
            "values": "own",
            "literal": "[[[[1, 2, 3], [4, 5, 6]]]]",
            "repeats": "1,1,3,3",
            "feature_level": "5_0",
        },
    )


@pytest.mark.parametrize(
    ("operator", "path", "settings"),
    [
        (
            dmlviz.DepthToSpace(2, 1),
            "/depth-to-space",
            {"block_size": "2", "order": "COLUMN_ROW_DEPTH"},
        ),
        (
            dmlviz.SpaceToDepth(1),
            "/space-to-depth",
            {"block_size": "1", "order": "DEPTH_COLUMN_ROW"},
        ),
        (
            dmlviz.Padding(0, (0, 0, 1, 2), (0, 0, 3, 4), -10.5),
            "/padding",
            {
                "padding_mode": "CONSTANT",
                "start_padding": "0,0,1,2",
                "end_padding": "0,0,3,4",
                "padding_value": "-10.5",
            },
        ),
    ],
)
def test_settings(operator, path, settings):
    at, found = parts(dmlviz.link(operator, np.zeros((1, 4, 1, 1))))
    assert at == path
    assert {key: found[key] for key in settings} == settings
    assert "feature_level" not in found


@given(runs())
def test_the_input_can_be_read_back(run):
    operator, x = run
    address = dmlviz.link(operator, x)
    _path, found = parts(address)
    assert read_sizes(found["sizes"]) == x.shape
    assert found["data_type"] == data_type_of(x)
    again = read_literal(found["literal"], found["data_type"]).values
    assert again.shape == x.shape
    if x.dtype.kind == "f":  # a text has one NaN only
        x, again = (np.where(np.isnan(a), a.dtype.type(np.nan), a) for a in (x, again))
    np.testing.assert_array_equal(bits(again), bits(x))


@given(runs())
def test_an_address_holds_nothing_that_needs_escaping(run):
    address = dmlviz.link(*run)
    assert address.isascii()
    assert not set(address) & set(" \"'<>[]{}\n#")


def test_too_large_for_an_address():
    assert dmlviz.link(dmlviz.Tile((1,)), np.zeros(4_096, np.uint8))
    with pytest.raises(dmlviz.TooLarge, match="4,096"):
        dmlviz.link(dmlviz.Tile((1,)), np.zeros(4_097, np.uint8))


def test_unknown_words_and_inputs():
    with pytest.raises(dmlviz.Error, match="not a part of a view") as caught:
        dmlviz.link(dmlviz.Tile((1,)), np.zeros(3), colour="red")
    assert caught.value.field == "colour"
    with pytest.raises(dmlviz.Error, match="ragged"):
        dmlviz.link(dmlviz.Tile((1,)), [[1], [2, 3]])
