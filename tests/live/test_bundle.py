"""What live pages need: checked by hash, complete, and always the same."""

import base64
import hashlib
import io
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from dmlviz.base.errors import Error
from dmlviz.base.places import ASSETS
from dmlviz.base.words import speaking
from dmlviz.engines.models import model_file
from dmlviz.live import bundle, page
from dmlviz.live.below import code_of_address, file_of_state, section_of_state
from dmlviz.live.page import view_after, view_of_state
from dmlviz.operators import OPERATORS
from dmlviz.picture.files import plotly_path
from dmlviz.picture.formats import PictureLook
from dmlviz.picture.policy import LIVE
from dmlviz.picture.svg import svg
from dmlviz.states import first_state
from dmlviz.states.links import LINK_LIMIT
from dmlviz.states.pages import read_any_link
from tests.tool_fixtures import leave_out

NUMPY = "numpy-9.whl"
LAST = PictureLook(9, "value", False)
MOMENT = {"step": 1.5, "colors": "position", "dark": True}
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def pyodide(tmp_path, monkeypatch):
    """A folder with files of the right names, and their hashes as the pinned ones."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as zipped:
        zipped.writestr("numpy-9.dist-info/LICENSE.txt", "NumPy's license")
        for name in ("__init__.py", "__init__.pyi", "core.so", "ma/core.py"):
            zipped.writestr(f"numpy/{name}", "")
    wheel = archive.getvalue()
    digest = hashlib.sha256(wheel).hexdigest()
    numpy = {"file_name": NUMPY, "sha256": digest, "depends": ["else"]}
    lock = {"packages": {"numpy": numpy, "else": {}}}
    (tmp_path / "dist").mkdir()
    (tmp_path / NUMPY).write_bytes(wheel)
    pins = {}
    for package, pinned in bundle._pins().items():
        files = {name: name.encode() for name in pinned["sha256"]}
        files |= {bundle.LOCK: json.dumps(lock).encode()} if package == "pyodide" else {}
        for name, data in files.items():
            (tmp_path / name).write_bytes(data)
        hashes = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
        pins[package] = {"title": package, "version": "9", "sha256": hashes}
    monkeypatch.setattr(bundle, "_pins", lambda: pins)
    return tmp_path


def test_all_files_are_taken_and_the_lock_names_only_what_is_there(pyodide):
    assert bundle.numpy_wheel(pyodide) == NUMPY
    live = bundle.live_files(pyodide, pyodide / NUMPY, pyodide)
    lock = json.loads(live.files[bundle.LOCK])
    assert lock == {"packages": {}}
    assert live.loaded[0] == bundle.ARCHIVE
    with zipfile.ZipFile(io.BytesIO(live.files[bundle.ARCHIVE])) as zipped:
        names = zipped.namelist()
    # neither stubs nor what no picture needs
    assert {n for n in names if n.startswith("numpy")} == {"numpy/__init__.py", "numpy/core.so"}
    assert {*live.loaded} < live.files.keys()
    assert not any(name.endswith(".js") for name in live.loaded)
    # nothing of the engine is loaded before it is chosen, and no host has to know .mjs
    assert live.engine == ("ort-wasm-simd-threaded.wasm",)
    assert live.files["ort-wasm-simd-threaded.js"] == b"dist/ort-wasm-simd-threaded.mjs"
    assert not any(name.endswith(".mjs") for name in live.files)
    for part in (
        "Mozilla Public License",
        "PYTHON SOFTWARE FOUNDATION",
        "NumPy's license",
        "Copyright (c) Microsoft Corporation",
        "protocolbuffers/protobuf",
    ):
        assert part in live.files[bundle.LICENSES].decode()
    for package in ("cachetools", "einops", "segno", "dmlviz"):
        assert f"\n{package}\n" in live.files[bundle.LICENSES].decode()


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("pyodide.asm.wasm", "pyodide"),
        (bundle.LOCK, "pyodide"),
        (NUMPY, "numpy"),
        ("dist/ort-wasm-simd-threaded.wasm", "onnxruntime-web"),
    ],
)
def test_a_file_that_is_not_the_pinned_one_is_refused(pyodide, name, field):
    path = pyodide / name
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(Error, match=r"SHA-256 must be [0-9a-f]{64}") as refused:
        bundle.live_files(pyodide, pyodide / NUMPY, pyodide)
    assert refused.value.field == field
    path.unlink()
    with pytest.raises(Error, match=f"cannot read .*{name}"):
        bundle.live_files(pyodide, pyodide / NUMPY, pyodide)


def test_the_archive_is_all_that_a_page_needs_besides_numpy(tmp_path):
    data = bundle.archive(bundle.core_files())
    assert data == bundle.archive(bundle.core_files())
    with zipfile.ZipFile(io.BytesIO(data)) as zipped:
        zipped.extractall(tmp_path)
    # as the worker brings it from beside the page
    plotly = tmp_path / "assets" / plotly_path().relative_to(ASSETS)
    plotly.parent.mkdir()
    plotly.write_bytes(plotly_path().read_bytes())
    files = [
        {"link": "/tile?colors=position", "language": "en", "file": ending} | MOMENT
        for ending in ("html", "svg", "npz", "onnx")
    ]
    code = (
        "import json, sys\n"
        f"sys.path[:] = [p for p in sys.path if 'site-packages' not in p]\n"
        f"sys.path[:0] = [{str(tmp_path)!r}]\n"
        # only NumPy of all that is installed here
        "import importlib.util as u\n"
        f"spec = u.spec_from_file_location('numpy', {np.__file__!r}, "
        f"submodule_search_locations=[{str(np.__path__[0])!r}])\n"
        "module = u.module_from_spec(spec); sys.modules['numpy'] = module\n"
        "spec.loader.exec_module(module)\n"
        "from dmlviz.live.page import answer\n"
        # what a first picture does not need is imported by what needs it
        "assert not {'segno', 'polib', 'email', 'http', 'xml', 'ssl'} & {*sys.modules}\n"
        "print(answer(json.dumps({'link': '/padding?predict=true', 'language': 'ko',"
        " 'changes': [['sizes', '1,1,4,4']]})).decode())\n"
        f"for asked in {files!r}: print(answer(json.dumps(asked)).decode())"
    )
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, encoding="utf-8"
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    with speaking("ko"):
        here = view_after("/padding?predict=true", [("sizes", "1,1,4,4")])
    shown, *made = map(json.loads, ran.stdout.splitlines())
    assert shown == json.loads(json.dumps(here))
    state = read_any_link("/tile").state
    due = [file_of_state(state, one["file"], PictureLook(**MOMENT)) for one in files]
    for mine, theirs in zip(made, due, strict=True):
        name = theirs["name"]
        assert (mine["file"]["name"], mine["file"]["problem"]) == (name, "")
        # letters are measured without Pillow there
        if not name.endswith(".svg"):
            assert mine["file"] == theirs, name
    drawn = base64.b64decode(made[1]["file"]["data"]).decode()
    assert drawn.count("<rect") == base64.b64decode(due[1]["data"]).decode().count("<rect")
    assert here["picture"]


@pytest.mark.slow
def test_modules_are_compiled_for_the_python_of_the_page(node_tool, npm_tool):
    if not (npm_tool / "pyodide").is_dir():
        leave_out("Pyodide is not here", "LIVE")

    def compiled(source):
        files = bundle.archive({"a.py": source, "words.toml": b"title = 1"})
        return bundle._compiled(files, node_tool, npm_tool / "pyodide")

    data = compiled(b'def f():\n    """Words."""\n    assert False\n')
    with zipfile.ZipFile(io.BytesIO(data)) as zipped:
        assert zipped.namelist() == ["a.pyc", "words.toml"]
        assert {entry.date_time for entry in zipped.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        code = zipped.read("a.pyc")
        assert zipped.read("words.toml") == b"title = 1"
    # Python 3.12's number, then that no source is compared with it
    assert (int.from_bytes(code[:2], "little"), code[4:8]) == (3531, b"\x01\0\0\0")
    assert b"Words." not in code
    with pytest.raises(Error, match=r"pyodide: Node\.js cannot compile the modules: SyntaxError"):
        compiled(b"def\n")


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_every_operator_has_a_form_of_its_own_settings(cls):
    shown = view_of_state(first_state(cls.key))
    names = [field["name"] for group in shown["groups"] for field in group["fields"]]
    state = first_state(cls.key)
    assert {name for name, _text in state.settings} <= {*names}
    assert all(f"{n}.sizes" in names or n == cls.first_input() for n in state.tensors)
    assert len(names) == len({*names})
    assert shown["picture"]
    assert shown["link"] == f"/{cls.key}"


def test_a_refused_text_stays_in_its_control_and_the_rest_is_taken():
    shown = view_after("/tile", [("sizes", "2,x"), ("data_type", "INT8"), ("repeats", "2,2,2,2")])
    fields = {f["name"]: f for group in shown["groups"] for f in group["fields"]}
    assert shown["refused"] == [("sizes", "2,x")]
    assert fields["sizes"]["values"] == ("2,x",)
    assert fields["sizes"]["problem"] == shown["problems"][0] != ""
    assert shown["picture"] is None
    assert shown["link"] == "/tile?data_type=INT8&repeats=2,2,2,2"
    # sizes and own values that fit each other only together
    both = [("sizes", "2,3"), ("literal", "1 2 3; 4 5 6")]
    shown = view_after("/tile?sizes=2,2&values=own&literal=1,2,3,4&repeats=1,1", both)
    assert (shown["refused"], shown["problems"]) == ([], [])
    assert "sizes=2,3" in shown["link"]


def test_predict_is_unavailable_while_two_are_compared():
    def predict(link, *changes):
        groups = view_after(link, changes)["groups"]
        (row,) = (row for g in groups for row in g["fields"] if row["name"] == "predict")
        return row

    assert "unavailable" not in predict("/tile")
    assert "turn off Compare" in predict("/tile", ("compare", "true"))["unavailable"]


def test_code_is_read_and_recognized_or_refused_with_its_place():
    shown = view_after("/code?code=x.T&sizes=x:2,3", [("code", "y = x + 1")])
    assert shown["place"] == "y = x + 1\n    ^^^^^"
    assert (shown["picture"], len(shown["problems"])) == (None, 1)
    shown = view_after(shown["link"], [("code", "x.T")])
    assert shown["picture"]["strip"] is None
    assert "x.permute(2, 1, 0)" in texts("same", "/code?code=x.transpose(2,1,0)&sizes=x:2,3,4")
    assert texts("same", "/code?code=x%2B1&sizes=x:2,3") == [""]
    # the second code has its refusal at its own control
    shown = view_after("/code?code=x.T&sizes=x:2,3", [("compare", "x + 2")])
    fields = [field for group in shown["groups"] for field in group["fields"]]
    assert [field["name"] for field in fields if field["problem"]] == ["compare"]
    assert shown["place"] == "x + 2\n^^^^^"


def blocks(name, link):
    return section_of_state(read_any_link(link).state, name)


def texts(name, link):
    return [block["text"] for block in blocks(name, link)]


def test_a_library_that_a_reader_chose_stays_and_a_guessed_one_follows_the_code():
    def after(link, *changes):
        view = view_after(link, changes)
        rows = {row["name"]: row["values"] for group in view["groups"] for row in group["fields"]}
        return view["link"], rows["library"][0]

    link, library = after("/code", ("code", "x.permute(1, 0)"))
    assert library == "torch"
    # this could be from either library, so the one before it is guessed
    link, library = after(link, ("code", "x.T"))
    assert library == "torch"
    # PyTorch has no negative steps
    link, library = after(link, ("code", "x[::-1]"))
    assert library == "numpy"
    link, _library = after("/code", ("library", "torch"))
    link, library = after(link, ("code", "x[::-1]"))
    assert library == "torch"
    # sizes that were typed stay, too
    link, _library = after("/code", ("x.sizes", "2, 12"))
    view = view_after(link, [("code", "x.reshape(5, 5)")])
    assert view["link"].endswith("&sizes=x:2,12")
    assert view["problems"]


def test_the_result_in_other_forms():
    link = "/tile?sizes=2,3&values=count-1&repeats=1,2"
    assert texts("formula", link)[0].startswith("out[h, w] = in[h, w mod 3]")
    code = {block["key"]: block for block in blocks("code", link)}
    assert "np.tile(x, (1, 2))" in code["numpy"]["text"]
    assert code["numpy"]["link"].startswith("/code?code=")
    assert {"directml", "onnx", "pytorch", "tensorflow", "einops"} < {*code}
    (table,) = blocks("table", link)
    assert table["columns"] == ("Output element", "Value", "Comes from")
    assert table["rows"][4] == ("[0, 4]", "2", "[0, 1]")
    assert table["notes"] == ()
    (table,) = blocks("table", "/tile?sizes=2,300&values=count-1&repeats=1,2")
    assert len(table["rows"]) == 256
    assert "1,200" in table["notes"][0]


def test_the_code_of_an_address_that_phones_can_read():
    assert code_of_address("https://x.org/")["image"].startswith("data:image/png;base64,")
    code = code_of_address("https://x.org/" + "y" * 2000)
    assert (code["image"], "2,014" in code["note"]) == ("", True)


def test_what_no_address_holds_says_so():
    long = f"/tile?sizes={LINK_LIMIT}&values=count-1&repeats=1"
    own = view_after(long, [("values", "own")])
    assert own["unaddressed"] == ""
    more = view_after(long, [("sizes", f"{LINK_LIMIT + 1}"), ("values", "own")])
    assert "4,096" in more["unaddressed"]
    assert more["picture"]


def test_the_advised_header_is_the_policy_and_allows_no_eval():
    text = (ROOT / "deploy" / "README.md").read_text(encoding="utf-8")
    assert f"`Content-Security-Policy: {LIVE}`" in text
    assert "'unsafe-eval'" not in LIVE
    assert not re.search("https?:", LIVE)


def saved(link, ending, moment=LAST):
    return file_of_state(read_any_link(link).state, ending, moment)


def test_files_that_need_no_native_code():
    made = saved("/tile?sizes=2,3&values=count-1&repeats=1,2", "npz")
    assert made["name"] == "tile.npz"
    with np.load(io.BytesIO(base64.b64decode(made["data"])), allow_pickle=False) as arrays:
        np.testing.assert_array_equal(arrays["output"], [[1, 2, 3, 1, 2, 3], [4, 5, 6, 4, 5, 6]])
    state = first_state("tile")
    assert base64.b64decode(saved("/tile", "onnx")["data"]) == model_file(
        state.operator(), state.inputs()
    )
    assert saved("/code?code=x%2B1&sizes=x:2,3", "npz")["problem"]
    # a moment after the end is the end, and colors that this picture lacks are those of values
    drawn = base64.b64decode(
        saved("/tile", "svg", PictureLook(1e9, "planes", True))["data"]
    ).decode()
    assert drawn == svg(state.scenes()[0], dark=True)


def test_an_own_picture_stays_in_the_page(monkeypatch):
    monkeypatch.setattr(page._Session, "own_picture", None)
    text = f"60,90,{base64.b64encode(bytes([200, 100, 0]) * 5400).decode()}"
    shown = view_after("/tile", [("own_picture", text)])
    assert shown["problems"] == []
    assert "sizes=1,3,32,48" in shown["link"]
    assert "data_type=UINT8" in shown["link"]
    assert "own picture stays" in shown["left_out"]
    assert shown["look"]["colors"] == "planes"
    red, green, blue = np.array(page._state_of(shown["link"]).x()).reshape(3, -1)
    assert {*red, *green, *blue} == {200, 100, 0}
    # where four dimensions are too many, and in a tensor that follows, sizes stay
    again = view_after("/gather-nd?values=picture", [("own_picture", text)])
    assert again["left_out"]
    refused = view_after("/tile?values=picture", [("own_picture", "9,9,x")])
    assert refused["refused"] == [("own_picture", "")]
    fields = {f["name"]: f for group in refused["groups"] for f in group["fields"]}
    assert "damaged" in fields["own_picture"]["problem"]
    assert view_after(refused["link"], [])["left_out"] == ""


def rows_of(shown):
    return {f["name"]: f for group in shown["groups"] for f in group["fields"]}


def test_what_tensors_show_of_an_own_picture(monkeypatch):
    monkeypatch.setattr(page._Session, "own_picture", None)
    # black at the left, white at the right
    half = np.repeat(np.uint8([[[0]], [[255]]]), 45, axis=0).repeat(3, axis=2).transpose(1, 0, 2)
    text = f"60,90,{base64.b64encode(half.repeat(60, axis=0).tobytes()).decode()}"
    start = view_after("/tile", [("own_picture", text)])
    assert rows_of(start)["own_picture_width"]["values"] == ("48",)
    # ends in either order
    right = view_after(start["link"], [("own_picture_columns", "100,50")])
    assert rows_of(right)["own_picture_columns"]["values"] == ("50", "100")
    assert "sizes=1,3,48,36" in right["link"]
    assert {*np.array(page._state_of(right["link"]).x()).ravel()} == {255}
    changes = [("own_picture_channels", "1"), ("own_picture_width", "9"), ("data_type", "FLOAT16")]
    gray = view_after(right["link"], changes)
    assert "sizes=1,1,12,9&data_type=FLOAT16" in gray["link"]
    assert gray["look"]["colors"] == "value"
    # what does not fit is refused under its label
    wide = view_after(gray["link"], [("own_picture_width", "999")])
    assert wide["refused"] == [("own_picture_width", "999")]
    assert wide["problems"] == ['Width in pixels: "999" is not a whole number from 1 to 192.']
    assert wide["link"] == gray["link"]
    # the rows say nothing of sizes that were typed, and a built-in picture hides them
    typed = view_after(gray["link"], [("sizes", "2,3")])
    assert rows_of(typed)["own_picture_width"]["values"] == ("",)
    built_in = view_after(gray["link"], [("picture", "cat")])
    assert "own_picture_rows" not in rows_of(built_in)
    again = view_after(built_in["link"], [("picture", "own"), ("data_type", "FLOAT16")])
    assert again["link"] == gray["link"]


def test_an_own_picture_in_code_keeps_the_tensors_sizes(monkeypatch):
    monkeypatch.setattr(page._Session, "own_picture", None)
    link = "/code?code=x.T&sizes=x:2,4&values=x:picture:sailboat"
    text = f"2,2,{base64.b64encode(bytes([0] * 6 + [255] * 6)).decode()}"
    shown = view_after(link, [("x.own_picture", text)])
    assert shown["problems"] == []
    assert "values=x:picture:own" in shown["link"]
    assert "own picture stays" in shown["left_out"]
    assert page._state_of(shown["link"]).arrays()["x"].tolist() == [[0] * 4, [1] * 4]
    below = view_after(shown["link"], [("x.own_picture_rows", "50,100")])
    assert page._state_of(below["link"]).arrays()["x"].tolist() == [[1] * 4] * 2
    assert not {"x.own_picture_channels", "x.own_picture_width"} & {*rows_of(below)}
    other = view_after(below["link"], [("x.picture", "cat")])
    assert view_after(other["link"], [("x.picture", "own")])["link"] == below["link"]
