import numpy as np
import pytest

from dmlviz.base.errors import Error
from dmlviz.tensors import DATA_TYPES, PICTURES, draw, picture
from dmlviz.tensors.starting import FOLDER, read_picture


def test_every_file_has_a_title_and_every_title_a_file():
    assert sorted(PICTURES) == sorted(path.stem for path in FOLDER.glob("*.txt"))
    assert len({title() for title in PICTURES.values()}) == len(PICTURES) == 6


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_small_coloured_and_asymmetric(name):
    pixels = picture(name)
    assert pixels.dtype == np.uint8
    assert pixels.shape[0] == 3
    assert all(8 <= side <= 16 for side in pixels.shape[1:])
    assert pixels.max() <= 99
    assert not pixels.flags.writeable
    assert picture(name) is pixels
    grey = draw(name, pixels.shape[1:], "INT32")
    assert grey.max() - grey.min() > 40
    for mirrored in (grey[::-1], grey[:, ::-1], grey[::-1, ::-1], grey.T):
        assert not np.array_equal(grey, mirrored)


@pytest.mark.parametrize("data_type", DATA_TYPES)
def test_at_its_own_sizes_a_picture_is_itself(data_type):
    pixels = picture("rocket")
    drawn = draw("rocket", (2, 3, 16, 16), data_type)
    assert drawn.dtype == DATA_TYPES[data_type].dtype
    assert (drawn == pixels).all()


def test_channels_go_round():
    pixels = picture("cat")
    drawn = draw("cat", (5, 12, 12), "UINT8")
    assert (drawn == pixels[[0, 1, 2, 0, 1]]).all()
    grey = draw("cat", (1, 12, 12), "UINT8")
    assert (draw("cat", (12, 12), "UINT8") == grey[0]).all()
    assert (draw("cat", (12,), "UINT8") == grey[0, 6]).all()


def test_the_nearest_pixel():
    pixels = picture("letter-r")
    assert (draw("letter-r", (3, 16, 24), "INT8") == pixels.repeat(2, 1).repeat(3, 2)).all()
    assert (draw("letter-r", (3, 4, 2), "INT8") == pixels[:, 1::2, 2::4]).all()


TINY = "o 1 2 3\n# 97 98 99\n\no#\n##\n"


def test_the_format():
    assert read_picture(TINY, "tiny").tolist() == [
        [[1, 97], [97, 97]],
        [[2, 98], [98, 98]],
        [[3, 99], [99, 99]],
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "0 high"),
        (TINY.replace("o 1 2 3", "o 1 2 100"), '"o 1 2 100"'),
        (TINY.replace("o 1 2 3", "o 1 2"), '"o 1 2"'),
        (TINY.replace("o 1 2 3", "# 1 2 3"), "not a new symbol"),
        (TINY + "o\n", "row 2 has 1 pixels where row 0 has 2"),
        (TINY + "ox\n", "row 2 has a symbol"),
        ("o 1 2 3\n", "0 high"),
        ("o 1 2 3\n\n" + "o" * 65, "65 wide"),
    ],
)
def test_a_file_that_is_no_picture(text, words):
    with pytest.raises(Error) as caught:
        read_picture(text, "tiny")
    assert words in str(caught.value)
    assert "tiny" in str(caught.value)
    assert caught.value.field == "picture"


def test_unknown_names_never_reach_the_disk():
    for name in ("dog", "../../pyproject", ""):
        with pytest.raises(Error) as caught:
            draw(name, (2, 3), "INT8")
        assert caught.value.field == "picture"
