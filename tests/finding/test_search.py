"""An operator is found by any of its names, and the best match comes first."""

import time

import pytest

from dmlviz.finding import LONGEST, MOST, Name, find, matching, names
from dmlviz.finding.search import ALIKE, EXACT, OTHER, PREFIX, WORDS, Spelling, _compared
from dmlviz.operators import OPERATORS

KEYS = {cls.key for cls in OPERATORS}

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
    # nearly
    ("gahter", "gather"),
    ("pixel_shufle", "depth-to-space"),
    ("concatinate", "join"),
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


@pytest.mark.parametrize(("typed", "key"), [pair for pair in FOUND if pair[1] in KEYS])
def test_the_likeliest_comes_first(typed, key):
    found = find(typed, names())
    assert found[0].key == key, [(name.text, name.key) for name in found]
    assert found[0] in matching(typed, names())


def test_what_is_typed_in_letters_that_were_put_together_elsewhere():
    from unicodedata import normalize

    for form in ("NFD", "NFKC"):
        assert find(normalize(form, "타일"), names())[0].key == "tile"
    assert find("ｔｏｒｃｈ．ｃａｔ", names())[0].key == "join"


@pytest.mark.parametrize("name", names(), ids=lambda name: f"{name.key}: {name.text}")
def test_every_name_finds_itself(name):
    for text in name.spellings:
        own = Spelling.of(text)
        if own.heart:
            assert name.key in {found.key for found in find(text, names(), most=20)}, text
            assert _compared(own, own, frozenset())[0] == EXACT
        assert name in matching(text, names())


@pytest.mark.parametrize(
    ("typed", "known", "rank"),
    [
        ("pad", "np.pad", EXACT),
        ("torch.pad", "np.pad", EXACT),
        ("pad", "np.padding", PREFIX),
        ("along_axis", "np.take_along_axis", EXACT),
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
    assert find("pixel_shufle", made)[0].text == "np.pixel_shuffle"


def test_a_library_names_all_of_its_own():
    for typed, library in (("torch", "PyTorch"), ("numpy", "NumPy"), ("einops", "einops")):
        found = find(typed, names())
        assert found
        assert {name.library for name in found} == {library}


def test_the_list_is_short_and_no_two_open_the_same():
    for typed in ("t", "pad", "torch", "gather", "x"):
        found = find(typed, names())
        assert len(found) <= MOST
        assert len({(name.key, name.link) for name in found}) == len(found)
        assert all(sum(n.key == name.key for n in found) <= 2 for name in found)


@pytest.mark.parametrize(
    "typed", ["", " ", "()", "***", "...", "(gather)", "zzzz", "no such thing"]
)
def test_nothing(typed):
    assert find(typed, names()) == ()
    assert matching(typed, names()) == ()


def test_any_text_is_answered_soon():
    before = time.process_time()
    texts = ["a" * 1_000_000, "gather " * 100_000, "[" * 100_000 + ":", "\ud800", "\x00", "ﷺ" * 500]
    for text in texts:
        find(text, names())
        matching(text, names())
    assert time.process_time() - before < 3
    assert find("gather" + " " * LONGEST + "zzzz", names()) == find("gather", names())
