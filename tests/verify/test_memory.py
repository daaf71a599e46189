"""A page made to fill the memory: what verifying it takes, measured in processes of its own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

if sys.platform != "linux":
    pytest.skip("reads Linux's /proc", allow_module_level=True)

ROOT = Path(__file__).resolve().parents[2]
MANY = """Repeats: {1,1,1,4096}
InputTensor: (Sizes:{1,1,1,1}, DataType:FLOAT32)
[[[[1]]]]
OutputTensor: (Sizes:{1,1,1,1}, DataType:FLOAT32)
[[[[2]]]]
"""
PAGE = "DML_TILE_OPERATOR_DESC\n" + MANY * 499
# in kB; getrusage would begin with what pytest itself takes, which a new process inherits
MEASURED = r"""
import re
from pathlib import Path
peak = lambda: int(re.search(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text())[1])
"""
COMMAND = """
import sys
from dmlviz.__main__ import main
code = main(["verify", *sys.argv[1:]])
print(code, peak(), file=sys.stderr)
"""
APP = """
import sys
from tests.app.conftest import Session
verify = Session().open("verify")
verify.at.segmented_control("verify_way").set_value("paste").run()
verify.at.text_area("verify_text").set_value("DML_TILE_OPERATOR_DESC Repeats: {1}").run()
verify.at.button_group("verify_engines").set_value(["numpy"]).run()
page = sys.stdin.read()
before = peak()
for number in range(2):
    verify.at.text_area("verify_text").set_value(page + " " * number).run()
    assert verify.exceptions == [], verify.exceptions
    assert verify.errors == ["**DML_TILE_OPERATOR_DESC**: 0 of 499 examples match. (NumPy)"], verify.errors
print(before, peak())
"""


def measured(script, *arguments, page=""):
    done = subprocess.run(
        [sys.executable, "-c", MEASURED + script, *arguments],
        cwd=ROOT,
        input=page,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    return done


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_the_command_stays_below_300_megabytes(tmp_path, form):
    path = tmp_path / "page.md"
    path.write_text(PAGE, encoding="utf-8")
    done = measured(COMMAND, str(path), *form)
    code, peak = map(int, done.stderr.split())
    assert code == 1
    assert peak < 300_000
    assert len(done.stdout) < 20_000_000
    if form:
        examples = json.loads(done.stdout)["documents"][0]["examples"]
        assert [e["status"] for e in examples] == ["mismatch"] * 499
        assert {(len(e["differing"]["OutputTensor"]), e["differing_count"]) for e in examples} == {
            (100, 4096)
        }


def test_two_pages_in_the_app_take_less_than_150_megabytes():
    before, after = map(int, measured(APP, page=PAGE).stdout.split())
    assert after - before < 150_000


def test_reports_are_kept_in_a_bounded_number_of_bytes():
    from dmlviz.app.verify_page import verified_page

    assert verified_page.most <= 64_000_000
    verified_page.cache_clear()  # other tests of this process have pages in it
    first = verified_page(PAGE, "", ("numpy",))
    assert verified_page(PAGE, "", ("numpy",)) is first
    assert 0 < verified_page.bytes < 12_000_000
