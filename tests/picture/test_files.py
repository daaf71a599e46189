import json
import re
from pathlib import Path

from dmlviz.picture import files
from dmlviz.picture.measures import measures

JS = Path(files.__file__).parent / "js"


def test_every_module_is_taken_along():
    assert {path.stem for path in JS.glob("*.js*")} == {
        *files.MODULES,
        *files.LIVE_MODULES,
        "plotly",
        "loader",
        "gallery",
        "page_data",
    }
    # only types, which no page needs
    assert files.joined([files.module("page_data")]).strip() == "export {};"


def test_modules_come_after_those_that_they_need():
    for number, name in enumerate(files.MODULES):
        text = files.module(name).read_text(encoding="utf-8")
        needed = re.findall(r'from "\./(\w+)\.js(?:on)?"', text)
        assert set(needed) <= set(files.MODULES[:number]), name


def test_nothing_is_imported_and_only_the_last_line_exports():
    lines = files.script().rstrip("\n").split("\n")
    assert lines[-1] == "export { mount, Player };"
    for line in lines[:-1]:
        assert not re.match(r"\s*(import|export)\b(?!\()", line), line


def test_every_module_is_in_the_script():
    for name in files.MODULES:
        text = files.module(name).read_text(encoding="utf-8")
        for declared in re.findall(r"^export (?:const|class|function) (\w+)", text, re.MULTILINE):
            assert re.search(rf"^(?:const|class|function) {declared}\b", files.script(), re.M)


def test_measures_of_both_languages_are_a_constant_of_the_script():
    (line,) = re.findall("^const MEASURES = (.*);$", files.script(), re.MULTILINE)
    assert json.loads(line) == measures()
    assert measures()["numbers"]["digit"] > 0


def test_the_version_is_that_of_the_script(monkeypatch):
    before = files.script_version()
    assert re.fullmatch("[0-9a-f]{12}", before)
    monkeypatch.setattr(files, "script", lambda: "other")
    # it is worked out once: the script does not change while the app runs
    assert files.script_version() == before
    assert files.script_version.__wrapped__() != before


def test_plotly_is_no_older_than_figures_need():
    import plotly

    name = f"* plotly.js (cartesian - minified) v{files.PLOTLY_VERSION}\n"
    assert files.plotly_script().startswith(f"/**\n{name}")
    package = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    [major] = re.findall(r"plotly\.js v(\d+)\.", package.read_text(encoding="utf-8")[:200])
    assert int(files.PLOTLY_VERSION.partition(".")[0]) >= int(major)


def test_plotly_is_as_published(npm_tool):
    published = npm_tool / "plotly.js-cartesian-dist-min" / "plotly-cartesian.min.js"
    assert files.plotly_path().read_bytes() == published.read_bytes()


def test_the_style_and_the_loader_are_there():
    assert ".dmlviz-player" in files.style()
    assert "export default function" in files.loader()
