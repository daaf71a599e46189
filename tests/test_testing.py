"""Checks of arrays: they pass as NumPy's do, and their failure says what lies between."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from dmlviz import testing
from tests.every import every

ROOT = Path(__file__).resolve().parents[1]
X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
NAN = np.array([[1.0, np.nan, 2.0]])


def message(actual, desired, **options):
    with pytest.raises(AssertionError) as failure:
        testing.assert_array_equal(actual, desired, **options)
    return str(failure.value)


def of_numpy(actual, desired, **options):
    with pytest.raises(AssertionError) as failure:
        np.testing.assert_array_equal(actual, desired, **options)
    return str(failure.value)


EQUAL = [
    (X, X.copy()),
    (X, X.tolist()),
    (X, X.astype(np.float64)),
    (NAN, NAN.copy()),
    (np.array([0.0]), np.array([-0.0])),
    (3, 3.0),
    (X[:1] * 0, 0),
    (np.array(["a"]), np.array(["a"])),
    (np.zeros((0, 2)), np.zeros((0, 2))),
]


@every("pair", EQUAL, ids=repr)
def test_what_passes_with_numpy_passes(pair):
    np.testing.assert_array_equal(*pair)
    assert testing.assert_array_equal(*pair) is None


MOVED = [
    (X.transpose(0, 2, 1), X, "actual is desired.transpose(0, 2, 1)"),
    (X.reshape(6, 4).T, X.reshape(6, 4), "actual is desired.T"),
    (X[:, ::-1], X, "actual is desired[:, ::-1]"),
    (X.reshape(4, 6), X, "actual is desired.reshape(4, 6)"),
    (X[:, ::-1].tolist(), X.astype(np.int64), "actual is desired[:, ::-1]"),
    (NAN[:, ::-1], NAN, "actual is desired[:, ::-1]"),
    (-NAN[:, ::-1], -NAN * 1.0, "actual is desired[:, ::-1]"),
    (np.array([1.0, -0.0, 2.0]), np.array([2.0, 0.0, 1.0]), "actual is desired[::-1]"),
    (
        X.reshape(2, 2, 6).swapaxes(0, 1).reshape(4, 6),
        X.reshape(4, 6),
        "actual is desired.reshape(2, 2, 6).transpose(1, 0, 2).reshape(4, 6)",
    ),
]


@every("case", MOVED, ids=lambda case: case[2])
def test_elements_at_other_places_are_a_line(case):
    actual, desired, line = case
    text = message(actual, desired, err_msg="mine")
    assert text.splitlines()[0] == line
    assert text.endswith(of_numpy(actual, desired, err_msg="mine"))


def test_the_first_difference():
    text = message(X[:, ::-1], X)
    assert text.splitlines()[1] == "First difference at [0, 0, 0]: actual has 8.0, desired has 0.0."
    same_first = np.arange(9).reshape(3, 3)
    text = message(same_first.T, same_first)
    assert text.splitlines()[1] == "First difference at [0, 1]: actual has 3, desired has 1."
    assert "The sizes are (4, 6), not (2, 3, 4)." in message(X.reshape(4, 6), X)
    # NaN is where NaN must be
    swapped = np.array([np.nan, 1.0, 2.0, 3.0])
    assert "First difference at [1]:" in message(swapped[[0, 2, 1, 3]], swapped)


VALUES = [
    (X + 1, X),
    (X[:1], X),
    (np.repeat(X, 2, 0), X),
    (X, X.astype(np.float64) + 0.5),
    (np.array([1, 1, 2]), np.array([1, 2, 2])),
    (np.array(["a", "b"]), np.array(["b", "a"])),
    (NAN, np.nan_to_num(NAN)),
    (3, 4),
    (np.random.default_rng(0).permutation(40), np.arange(40)),
]


@every("pair", VALUES, ids=repr)
def test_numpy_speaks_where_values_differ(pair):
    assert message(*pair) == of_numpy(*pair)


def test_another_type_is_numpys():
    assert message(X, X.astype(int), strict=True) == of_numpy(X, X.astype(int), strict=True)


def test_a_page_is_saved_only_into_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    message(X[:, ::-1], X)
    message(X + 1, X, folder=tmp_path / "pages")
    assert list(tmp_path.iterdir()) == []
    paths = []
    for _turn in range(2):
        text = message(X[:, ::-1], X, folder=tmp_path / "pages")
        (line,) = (line for line in text.splitlines() if line.startswith("To see it, open "))
        paths.append(Path(line.removeprefix("To see it, open ")))
    assert len({*paths}) == 2
    assert all("<html" in path.read_text(encoding="utf-8") for path in paths)
    assert sorted((tmp_path / "pages").iterdir()) == sorted(paths)


TEST = """
import numpy as np
X = np.arange(6).reshape(2, 3)
def test_that_fails(assert_array_equal, tmp_path):
    assert_array_equal(X, X)
    try:
        assert_array_equal(X[::-1], X)
    except AssertionError as error:
        assert str(error).startswith("actual is desired[::-1]")
        assert [path.suffix for path in tmp_path.iterdir()] == [".html"]
        assert str(next(tmp_path.iterdir())) in str(error)
    else:
        raise RuntimeError
"""


def test_the_fixture_of_pytest(tmp_path):
    (tmp_path / "test_it.py").write_text(TEST, encoding="utf-8")
    words = ["-p", "dmlviz.pytest_plugin", "-p", "no:cacheprovider", "-q", "--rootdir", tmp_path]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *map(str, words), str(tmp_path / "test_it.py")],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_check_that_passes_imports_little():
    code = (
        "import sys; from dmlviz import testing; testing.assert_array_equal([1], [1]); "
        "print(sorted({m.split('.')[0] for m in sys.modules} "
        "& {'plotly', 'streamlit', 'pandas', 'onnxruntime', 'pytest', 'einops'}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=60
    )
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
