"""The picture of a page: made once for everybody, whatever tensors there are."""

import numpy as np
import pytest

import dmlviz
from dmlviz.app.stage import picture
from tests.several import Pick


def tensors(indices=(2, 0), index_type=np.int64, values=np.float32):
    return {
        "InputTensor": np.arange(12, dtype=values).reshape(3, 4),
        "IndicesTensor": np.array([indices], index_type),
    }


def test_every_tensor_tells_pictures_apart():
    first = picture(Pick(0), tensors())
    assert picture(Pick(0), tensors()) is first
    others = [
        picture(Pick(0), tensors((0, 2))),
        picture(Pick(0), tensors(index_type=np.int32)),
        picture(Pick(0), tensors(values=np.int32)),
        picture(Pick(1), tensors()),
    ]
    assert len({scene.digest for scene in (first, *others)}) == 5


def test_the_one_input_may_be_an_array():
    x = np.arange(6).reshape(2, 3)
    assert picture(dmlviz.Tile((1, 2)), x) is picture(dmlviz.Tile((1, 2)), {"InputTensor": x})


def test_what_is_refused_or_too_large_is_not_computed():
    x = np.zeros((256, 257), np.uint8)
    with pytest.raises(dmlviz.TooLarge):
        picture(dmlviz.Tile((1, 1)), x)
    with pytest.raises(dmlviz.Error, match="IndicesTensor is missing"):
        picture(Pick(0), {"InputTensor": x})
    with pytest.raises(dmlviz.Error):
        picture(dmlviz.Tile((1,)), np.zeros((2, 3)))
