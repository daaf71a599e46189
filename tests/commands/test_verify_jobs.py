"""``dmlviz verify --jobs``: several processes write what one writes."""

import multiprocessing
import os
from pathlib import Path

import pytest

from dmlviz.__main__ import main
from dmlviz.commands import verify, verify_pages
from dmlviz.commands.verify import in_processes
from dmlviz.commands.verify_pages import PAGES_A_JOB, VerifyRun, jobs_for
from dmlviz.verify import Options
from tests.commands.test_verify import write

pytestmark = pytest.mark.slow

KINDS = ("match", "mismatch", "refused", "unreadable", "prose", "remarks", "binary") * 5


def die(files, run, language):
    os._exit(3)


@pytest.fixture
def folder(tmp_path):
    write(tmp_path / "docs", *KINDS)
    return str(tmp_path / "docs")


def test_reports_are_the_same(folder, capsys):
    def told(*more):
        code = main(["--lang", "ko", "verify", folder, "--json", *more])
        return code, capsys.readouterr()

    (code, several), (one, alone) = told("--jobs", "2"), told("--jobs", "1")
    assert (code, several.out) == (one, alone.out)
    # both drew a whole bar
    assert all("35/35" in each.err for each in (several, alone))


def cores(monkeypatch, count):
    """A machine with so many."""
    cpus = range(count)
    monkeypatch.setattr(verify_pages.os, "sched_getaffinity", lambda _pid: cpus, raising=False)


def test_a_process_that_dies_is_one_sentence(folder, capsys, monkeypatch):
    cores(monkeypatch, 2)
    monkeypatch.setattr(verify, "_verified", die)
    assert main(["verify", folder, "--quiet", "--jobs", "2"]) == 2
    assert capsys.readouterr().err == (
        "dmlviz: --jobs: a process that verified pages ended too early; try --jobs 1.\n"
    )
    assert not multiprocessing.active_children()


def test_an_interrupt_ends_the_other_processes(folder):
    started = []

    def interrupted(_pages):
        started.extend(multiprocessing.active_children())
        raise KeyboardInterrupt

    run = VerifyRun(("numpy",), Options(), frozenset(), colored=False)
    files = [entry.path for entry in os.scandir(folder)]
    with pytest.raises(KeyboardInterrupt):
        in_processes(files, run, 2, interrupted)
    assert started
    assert not any(process.is_alive() for process in started)


def test_few_pages_have_one_process(monkeypatch):
    cores(monkeypatch, 2)
    files = ["a.md"] * (2 * PAGES_A_JOB)
    assert [jobs_for(files[:n], Options()) for n in (0, 1, len(files) - 1, len(files))] == [
        1, 1, 1, 2
    ]  # fmt: skip
    assert jobs_for(files * 9, Options()) == 2
    assert jobs_for(["a.md"], Options(jobs=2)) == 2
    assert jobs_for(files * 9, Options(jobs=1)) == 1


@pytest.mark.parametrize("said_in", ["a file", "the command"])
def test_there_are_never_more_processes_than_cores(folder, capsys, monkeypatch, said_in):
    cores(monkeypatch, 2)
    started = []

    def in_one(files, run, jobs, _advance):
        started.append(jobs)
        return [run.file(file) for file in files]

    monkeypatch.setattr(verify, "in_processes", in_one)
    monkeypatch.chdir(folder)
    (Path(folder) / ".dmlviz.toml").write_text("[verify]\njobs = 60\n")
    more = ("--jobs", "60") if said_in == "the command" else ()
    main(["verify", "--quiet", ".", *more])
    assert capsys.readouterr().err == ""
    assert started == [2]


def test_no_jobs_are_refused(folder, capsys):
    assert main(["verify", folder, "--jobs", "0"]) == 2
    assert "jobs: 0 is invalid; it must be 1 or more." in capsys.readouterr().err
