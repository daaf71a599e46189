"""An operator is found by any of its names, and the best match comes first."""

import time

import numpy as np
import pytest

from dmlviz.base.words import speaking
from dmlviz.engines.trace import run
from dmlviz.operators import OPERATORS
from dmlviz.states import read_link
from dmlviz.teaching.lessons import lessons
from dmlviz.teaching.names import Name, compositions, names
from dmlviz.teaching.search import (
    ALIKE,
    ENDING,
    EXACT,
    LONGEST,
    MOST,
    OTHER,
    PREFIX,
    WORDS,
    Spelling,
    _compared,
    answers,
    matching,
    matching_lessons,
)
from tests.every import every

KEYS = {cls.key for cls in OPERATORS}

NEARLY = {"gahter": "gather", "pixel_shufle": "depth-to-space", "concatinate": "join"}
"""Typing errors: the name that was meant is offered as a similar one."""

# what is typed, and the operator whose name comes first
FOUND = [
    ("torch.gather", "gather-elements"),
    ("TORCH.GATHER", "gather-elements"),
    ("torch.gather(x, 1, index)", "gather-elements"),
    ("tf.gather", "gather"),
    ("gather", "gather"),
    ("Gather Elements", "gather-elements"),
    ("gather_elements", "gather-elements"),
    ("GatherElements", "gather-elements"),
    ("np.take", "gather"),
    ("numpy.take", "gather"),
    ("jnp.take_along_axis", "gather-elements"),
    ("nn.Embedding", "gather"),
    ("torch.nn.functional.embedding", "gather"),
    ("F.pixel_shuffle", "depth-to-space"),
    ("pixel_shuffle", "depth-to-space"),
    ("pixel shuffle", "depth-to-space"),
    ("PixelShuffle", "depth-to-space"),
    ("nn.PixelUnshuffle(2)", "space-to-depth"),
    ("tf.nn.space_to_depth", "space-to-depth"),
    ("depth to space", "depth-to-space"),
    ("tf.reverse_sequence", "reverse-subsequences"),
    ("ReverseSequence", "reverse-subsequences"),
    ("DML_OPERATOR_SLICE1", "slice"),
    ("DML_SLICE_OPERATOR_DESC", "slice"),
    ("dml_operator_slice", "slice"),
    ("slice1", "slice"),
    ("x[1:5:2]", "slice"),
    ("x[::-1]", "slice"),
    ("np.flip", "slice"),
    ("torch.narrow", "slice"),
    ("torch.cat", "join"),
    ("concatenate", "join"),
    ("tf.stack", "join"),
    ("torch.chunk", "split"),
    ("np.repeat", "tile"),
    ("repmat", "tile"),
    ("einops repeat", "tile"),
    ("scatter_", "scatter"),
    ("DML_OPERATOR_SCATTER_ELEMENTS", "scatter"),
    ("put_along_axis", "scatter"),
    ("one hot", "one-hot"),
    ("onehot", "one-hot"),
    ("to_categorical", "one-hot"),
    ("triu", "diagonal-matrix"),
    ("causal mask", "diagonal-matrix"),
    ("band part", "diagonal-matrix"),
    ("StridedSliceGrad", "slice-grad"),
    ("ReflectionPad2d", "padding"),
    ("np.pad reflect", "padding"),
    ("F.pad(x, (1, 1))", "padding"),
    *NEARLY.items(),
    # Korean titles, whole and begun
    ("타일", "tile"),
    ("패딩", "padding"),
    ("부분 시퀀스 뒤집기", "reverse-subsequences"),
    ("부분시퀀스", "reverse-subsequences"),
    ("대각", "diagonal-matrix"),
    # of operators that come later
    ("im2col", "unfold"),
    ("transpose", "strided"),
    ("tf.gather_nd", "gather-nd"),
    ("torch.topk", "top-k"),
]


def find(typed, known=None):
    """All names of all answers, what matches before what is only alike."""
    given = answers(typed, names() if known is None else known, compositions())
    return [name for each in given for name in (*each.names, *each.containing, *each.similar)]


@every(("typed", "key"), [pair for pair in FOUND if pair[1] in KEYS])
def test_the_likeliest_comes_first(typed, key):
    found = find(typed)
    assert found[0].key == key, [(name.text, name.key) for name in found]
    assert found[0] in matching(typed, names()) or typed in NEARLY


def test_what_is_typed_in_letters_that_were_put_together_elsewhere():
    from unicodedata import normalize

    for form in ("NFD", "NFKC"):
        assert find(normalize(form, "타일"))[0].key == "tile"
    assert find("ｔｏｒｃｈ．ｃａｔ")[0].key == "join"


@pytest.mark.slow
@every("name", names(), ids=lambda name: f"{name.key}: {name.text}")
def test_every_name_finds_itself(name):
    for text in name.spellings:
        own = Spelling.of(text)
        if own.heart:
            assert _compared(own, own, frozenset())[0] == EXACT
        assert name in matching(text, names())


@pytest.mark.parametrize(
    ("typed", "known", "rank"),
    [
        ("pad", "np.pad", EXACT),
        ("torch.pad", "np.pad", EXACT),
        ("pad", "np.padding", PREFIX),
        ("along_axis", "np.take_along_axis", ENDING),
        ("axis take", "np.take_along_axis", WORDS),
        ("np", "np.pad", WORDS),
        ("paddign", "np.padding", ALIKE),
        ("pda", "np.pad", OTHER),
        ("np", "tf.pad", OTHER),
        ("select", "reflect", OTHER),
    ],
)
def test_ranks(typed, known, rank):
    assert _compared(Spelling.of(typed), Spelling.of(known), frozenset())[0] == rank


def test_exact_before_prefix_before_words_before_alike():
    made = [
        Name(text, "NumPy", text, f"/{text}")
        for text in ("np.shuffler", "np.pixel_a_shuffle", "np.pixelshuffle2", "np.pixel_shuffle")
    ]
    found = [name.text for name in find("pixel_shuffle", made)]
    assert found == ["np.pixel_shuffle", "np.pixelshuffle2", "np.pixel_a_shuffle"]
    assert [each.names for each in answers("pixel_shuffle", made, ())] == [(made[3],)]
    assert find("pixel_shufle", made)[0].text == "np.pixel_shuffle"


def test_a_library_names_all_of_its_own():
    for typed, library in (("torch", "PyTorch"), ("numpy", "NumPy"), ("einops", "einops")):
        found = find(typed)
        assert found
        assert {name.library for name in found} == {library}


def test_the_list_is_short_and_no_two_open_the_same():
    for typed in ("t", "pad", "torch", "gather", "x"):
        found = find(typed)
        assert len(found) <= 2 * MOST
        assert len({(name.key, name.link) for name in found}) == len(found)
        assert all(sum(n.key == name.key for n in found) <= 4 for name in found)


@pytest.mark.parametrize(
    "typed", ["", " ", "()", "***", "...", "(gather)", "zzzz", "no such thing"]
)
def test_nothing(typed):
    assert find(typed) == []
    assert matching(typed, names()) == ()


def test_any_text_is_answered_soon():
    before = time.process_time()
    texts = ["a" * 1_000_000, "gather " * 100_000, "[" * 100_000 + ":", "\ud800", "\x00", "ﷺ" * 500]
    for text in texts:
        find(text)
        matching(text, names())
    assert time.process_time() - before < 3
    assert find("gather" + " " * LONGEST + "zzzz") == find("gather")


# what is typed, and for each call of it: a name that matches, the key of a composition, or nothing
ANSWERS = [
    ("reshape", ["+reshape"]),
    ("x.reshape(2,3,4)", ["+reshape"]),
    ("x.reshape(2,3,4).permute(0,2,1)", ["+reshape", "torch.permute"]),
    ("np.reshape(x, (2, 3))", ["+reshape"]),
    ("ONNX Reshape", ["+reshape"]),
    ("x.view(2,3)", ["+reshape"]),
    ("view", ["+reshape"]),
    ("x.flatten()", ["+reshape"]),
    ("flatten", ["+reshape"]),
    ("x.ravel()", ["+reshape"]),
    ("squeeze", ["+reshape"]),
    ("x.squeeze(0)", ["+reshape"]),
    ("torch.unsqueeze(x, 0)", ["+reshape"]),
    ("np.expand_dims(x, 0)", ["+reshape"]),
    ("x[None]", ["+reshape"]),
    ("x[..., None]", ["+reshape"]),
    ("shape", ["+shape"]),
    ("x.shape", ["+shape"]),
    ("tf.shape(x)", ["+shape"]),
    ("x.size()", ["+shape"]),
    ("roll", ["+roll"]),
    ("np.roll(x, 2)", ["+roll"]),
    ("torch.roll(x, 1, 0)", ["+roll"]),
    ("tf.roll", ["+roll"]),
    ("np.fft.fftshift(x)", ["+roll"]),
    ("rot90", ["+rot90"]),
    ("np.rot90(x)", ["+rot90"]),
    ("where", ["+where"]),
    ("np.where(c, x, y)", ["+where"]),
    ("torch.where", ["+where"]),
    ("ONNX Where", ["+where"]),
    ("x[mask]", ["+mask"]),
    ("x[x > 0]", ["+mask"]),
    ("x[y == 3]", ["+mask"]),
    ("torch.masked_select(x, m)", ["+mask"]),
    ("tf.boolean_mask(x, m)", ["+mask"]),
    ("conv2d", ["+conv"]),
    ("F.conv2d(x, w)", ["+conv"]),
    ("nn.Conv2d(3, 8, 3)", ["+conv"]),
    ("tf.nn.conv2d", ["+conv"]),
    ("np.convolve", ["+conv"]),
    ("ONNX Conv", ["+conv"]),
    ("ConvTranspose", ["+conv-transpose"]),
    ("nn.ConvTranspose2d(3, 8, 2)", ["+conv-transpose"]),
    ("F.conv_transpose2d(x, w)", ["+conv-transpose"]),
    ("nn.MaxPool2d(2)", ["+pooling"]),
    ("F.fold(x, (4, 4), 2)", ["+fold"]),
    ("np.delete(x, 2)", ["+delete"]),
    ("np.insert(x, 2, 9)", ["+insert"]),
    ("nn.ChannelShuffle(2)", ["+shuffle"]),
    ("softmax(x)", ["+computing"]),
    ("x.sum()", ["+computing"]),
    ("torch.matmul(a, b)", ["+computing"]),
    ("np.linspace(0, 1, 3)", ["+making"]),
    ("x.contiguous()", ["+copying"]),
    ("np.meshgrid(a, b)", ["+meshgrid"]),
    ("x.flatten().unsqueeze(0)", ["+reshape", "+reshape"]),
    ("np.flip(np.roll(x, 1))", ["+roll", "np.flip"]),
    ("x[::2].T", ["x[a:b:s]", "x.T"]),
    ("np.take(x, i, axis=1)[..., ::-1]", ["np.take", "np.flip"]),
    ("x.T", ["np.transpose"]),
    ("x.permute(0, 2, 1)", ["torch.permute"]),
    ("np.moveaxis(x, 0, -1)", ["np.moveaxis"]),
    ("np.take(x,i,axis=1)", ["np.take"]),
    ("torch.take(x, i)", ["torch.take"]),
    ("torch.gather(x, 1, i)", ["torch.gather"]),
    ("tf.gather(x, i)", ["tf.gather"]),
    ("x.repeat(2, 1)", ["torch.Tensor.repeat"]),
    ("np.repeat(x, 2)", ["np.repeat"]),
    ("torch.nn.functional.pad(x, (1, 1))", ["F.pad"]),
    ("F.pixel_shuffle(x, 2)", ["F.pixel_shuffle"]),
    ("nn.PixelShuffle(2)(x)", ["nn.PixelShuffle"]),
    ("rearrange(x, 'b c h w -> b h w c')", ["einops.rearrange"]),
    ("x[1:5]", ["x[a:b:s]"]),
    ("x[0]", ["x[a:b:s]"]),
    ("x[::-1]", ["np.flip"]),
    ("x[i]", ["x[:, indices]"]),
    ("x[:, idx]", ["x[:, indices]"]),
    ("x[rows, columns]", ["x[i, j]"]),
    ("Tile((2, 3))", ["Tile"]),
    ("GatherElements", ["Gather Elements"]),
    ("ONNX Gather", ["ONNX Gather"]),
    # not there: neighbors are named as such, or not at all
    ("np.gather(x, i)", [""]),
    ("np.unfold(x)", [""]),
    ("sliding_view(x)", [""]),
    ("torch.take_axis(x)", [""]),
    ("gahter", [""]),
    ("pixel_sh", [""]),
    ("x > 0", [""]),
    ("frobnicate(x)", [""]),
]


@pytest.mark.parametrize(("typed", "due"), ANSWERS, ids=[typed for typed, _due in ANSWERS])
@pytest.mark.parametrize("spoken", ["en", "ko"])
def test_each_call_is_answered_by_itself_and_never_by_a_neighbor(typed, due, spoken):
    with speaking(spoken):
        given = answers(typed, names(), compositions())
    told = []
    for answer in given:
        spellings = [text for name in answer.names for text in name.spellings]
        key = f"+{answer.composition.key}" if answer.composition else ""
        assert not (spellings and key), answer
        told.append((spellings, key))
    assert len(told) == len(due), given
    for (spellings, key), wanted in zip(told, due, strict=True):
        if wanted.startswith("+") or not wanted:
            assert (spellings, key) == ([], wanted)
        else:
            assert wanted in spellings


def test_what_is_alike_is_said_to_be_only_that():
    (answer,) = answers("np.gather(x, i)", names(), compositions())
    assert "torch.gather" in {name.text for name in answer.similar}
    (answer,) = answers("pixel_sh", names(), compositions())
    assert [name.text for name in answer.containing] == ["F.pixel_shuffle"]
    (answer,) = answers("gahter", names(), compositions())
    assert answer.similar[0].key == "gather"
    (answer,) = answers("torch.gat", names(), compositions())
    assert {name.library for name in answer.containing} == {"PyTorch"}


COMPUTED = {
    "reshape": lambda: [np.arange(1, 7).reshape(2, 3), np.arange(1, 7).reshape(3, 2)],
    "roll": lambda: [np.roll([1, 2, 3, 4, 5], 2)[:2], np.roll([1, 2, 3, 4, 5], 2)],
    "rot90": lambda: [np.array([[1, 2, 3], [4, 5, 6]]).T, np.rot90([[1, 2, 3], [4, 5, 6]])],
    "mask": lambda: [[np.arange(1, 7).reshape(2, 3)[np.array([[0, 1, 0], [1, 0, 1]], bool)]]],
    "where": lambda: [
        np.where([False, True, False, True, False], [0, 20, 0, 40, 0], [1, 2, 3, 4, 5])
    ],
    "delete": lambda: [[1, 2], np.delete([1, 2, 3, 4, 5], 2)],
    "insert": lambda: [[1, 2], np.insert([1, 2, 3, 4], 2, 9)],
    "shuffle": lambda: [np.arange(6).reshape(2, 3).T.ravel()],
    "meshgrid": lambda: np.meshgrid(np.arange(4), np.arange(3)),
}


@pytest.mark.parametrize("composition", compositions(), ids=lambda each: each.key)
def test_steps_compute_what_is_said_of_them(composition):
    outputs = []
    for step in composition.steps:
        opened = read_link(step.link)
        assert not opened.problems
        assert opened.state.problems() == []
        assert opened.state.address(whole=True) == step.link
        trace = run(opened.state.operator(), opened.state.inputs())
        outputs.append(next(iter(trace.outputs.values())))
    due = COMPUTED.get(composition.key, lambda: None)()
    for output, wanted in zip(outputs, due or outputs, strict=True):
        np.testing.assert_array_equal(output, wanted)


def test_a_product_of_the_filter_and_unfolds_columns_is_the_convolution():
    (conv,) = [each for each in compositions() if each.key == "conv"]
    state = read_link(conv.steps[0].link).state
    x = state.inputs()["InputTensor"][0, 0]
    columns = run(state.operator(), state.inputs()).output[0]
    kernel = np.arange(9).reshape(3, 3)
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3))
    np.testing.assert_array_equal(
        kernel.ravel() @ columns, np.einsum("ijkl,kl->ij", windows, kernel).ravel()
    )


def test_no_call_has_two_answers():
    known = [call for each in compositions() for call in each.calls]
    assert len(known) == len(set(known))
    for each in compositions():
        for call in each.calls:
            (answer,) = answers(call, names(), compositions())
            assert answer.composition is not None, call
            assert answer.composition.key == each.key, call


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("reshape", "reshape-and-transpose"),
        ("transp", "reshape-and-transpose"),
        ("x.reshape(2, 3)", "reshape-and-transpose"),
        ("np.repeat", "tile-and-repeat"),
        ("F.pixel_shuffle", "depth-to-space-crd"),
        ("i", None),
        ("zebra", None),
        ("", None),
    ],
)
def test_a_lesson_is_matched_by_the_words_of_its_title_and_by_its_calls(text, first):
    matched = [lesson.key for lesson in matching_lessons(text, lessons())]
    assert matched[:1] == ([first] if first else [])
    assert len(matched) <= 3


@pytest.mark.parametrize(
    ("language", "text", "first"),
    [
        ("en", "swap rows and columns", "reshape-and-transpose"),
        ("ko", "전치", "reshape-and-transpose"),
        ("ko", "행과 열을 바꾸기", "reshape-and-transpose"),
        ("ko", "패딩", "padding-modes"),
    ],
)
def test_a_lesson_is_matched_by_plain_words(language, text, first):
    with speaking(language):
        assert [lesson.key for lesson in matching_lessons(text, lessons())][:1] == [first]
