"""The packages of the images: exactly those whose hashes are locked, and what is asked for."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.deploy.cluster import DEPLOY
from tests.deploy.test_files import LOCK, ROOT, copied, ignored, said
from tests.installing import EXTRAS, asked, only

pytestmark = pytest.mark.text

PYTHON = "3.12"
MACHINES = [
    {
        "sys_platform": "linux",
        "platform_system": "Linux",
        "os_name": "posix",
        "platform_machine": machine,
        "platform_python_implementation": "CPython",
        "implementation_name": "cpython",
        "python_version": PYTHON,
        "python_full_version": f"{PYTHON}.0",
        "extra": "",
    }
    for machine in ("x86_64", "aarch64")
]


VERIFY_LOCK = "deploy/verify.lock"
LOCKS = {LOCK: ("app", "postgres"), VERIFY_LOCK: ()}
"""Each lock with the extras that it is for."""


def locked(lock):
    """Each package of a lock, with the number of its hashes."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    text = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    found = []
    for entry in re.split(r"\n(?=\S)", text.replace("\\\n", " ")):
        name, *hashes = entry.split("--hash=sha256:")
        assert all(re.fullmatch(r"[0-9a-f]{64}\s*", one) for one in hashes), entry
        found.append((Requirement(name.strip()), len(hashes)))
    return found


def on(machine, requirements):
    """Those that apply to a machine, by name."""
    applying = [one for one in requirements if one.marker is None or one.marker.evaluate(machine)]
    named = {canonicalize_name(one.name): one for one in applying}
    assert len(named) == len(applying)
    return named


@pytest.mark.parametrize("lock", LOCKS)
def test_every_line_is_one_version_with_hashes(lock):
    assert locked(lock)
    for one, hashes in locked(lock):
        assert re.fullmatch(r"==[^*,]+", str(one.specifier)), one
        assert one.url is None
        assert hashes >= 1, one


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine["platform_machine"])
@pytest.mark.parametrize("lock", LOCKS)
def test_it_is_what_the_package_and_its_extras_allow(lock, machine):
    versions = on(machine, [one for one, _hashes in locked(lock)])
    for name, one in on(machine, map(Requirement, asked(*LOCKS[lock]))).items():
        assert name in versions, f"{name} is not locked: see deploy/README.md"
        version = str(versions[name].specifier).removeprefix("==")
        assert one.specifier.contains(version), f"{name} {version} is not {one.specifier}"


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine["platform_machine"])
@pytest.mark.parametrize("lock", LOCKS)
def test_nothing_is_missing_that_these_need(lock, machine):
    """As far as the same versions are installed here, whose own requirements can be read."""
    versions = on(machine, [one for one, _hashes in locked(lock)])
    read = 0
    for name, one in versions.items():
        try:
            here = distribution(name)
        except PackageNotFoundError:
            continue
        if one.specifier.contains(here.version):
            needs = on(machine, map(Requirement, here.requires or ()))
            assert set(needs) <= set(versions), name
            read += 1
    if not read:
        pytest.skip("other versions are installed here")


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine["platform_machine"])
def test_the_checker_has_the_versions_of_the_app_and_nothing_of_its_extras(machine):
    app, checker = (
        {
            name: str(one.specifier)
            for name, one in on(machine, [one for one, _n in locked(lock)]).items()
        }
        for lock in LOCKS
    )
    assert checker.items() <= app.items()
    extras = {canonicalize_name(Requirement(line).name) for line in asked(*EXTRAS)}
    alone = {canonicalize_name(Requirement(line).name) for line in asked()}
    assert not checker.keys() & (extras - alone)


@pytest.mark.parametrize("lock", LOCKS)
def test_no_place_to_load_from_is_named(lock):
    """Everybody's pip knows where it loads from: a company's own mirror, too."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    assert not re.search(r"://|--(extra-)?index-url|--find-links|--trusted-host", text)


IMAGES = [("Dockerfile", LOCK), ("Dockerfile.verify", VERIFY_LOCK)]


@pytest.mark.parametrize(("image", "lock"), IMAGES)
def test_the_image_installs_nothing_else(image, lock):
    (install,) = [rest for rest in said("RUN", image) if "pip install" in rest]
    assert "--require-hashes" in install
    assert "--only-binary :all:" in install
    (file,) = re.findall(r"-r (\S+)", install)
    assert f"{lock} {file}" in said("COPY", image)


def test_it_is_made_for_the_python_of_the_image_by_the_command_that_is_documented():
    options = tomllib.loads((DEPLOY / "uv.toml").read_text(encoding="utf-8"))["pip"]
    assert options["python-version"] == PYTHON
    documented = (DEPLOY / "README.md").read_text(encoding="utf-8").replace(" -U ", " ")
    for image, lock in IMAGES:
        assert any(rest.startswith(f"PYTHON_IMAGE=python:{PYTHON}.") for rest in said("ARG", image))
        # uv writes it without -U
        [command] = re.findall(
            r"^#    (uv pip compile .+)$", (ROOT / lock).read_text("utf-8"), re.M
        )
        assert command.endswith(f" -o {lock}")
        assert f"\n{command}\n" in documented


def test_the_image_of_the_checker_verifies_with_what_it_has(tmp_path, tracked_files):
    """What it copies and the packages of its lock, as far as they are installed here, are enough."""
    image = "Dockerfile.verify"
    tracked = [Path(path) for path in tracked_files]
    if not tracked:
        pytest.skip("not a git checkout")
    assert [*copied(image)] == [VERIFY_LOCK, "LICENSE", "assets", "dmlviz"]
    home, packages, pages = (tmp_path / name for name in ("home", "packages", "pages"))
    for path in tracked:
        if not ignored(path, image):
            (home / path.parent).mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, home / path)
    assert not (home / "dmlviz" / "app").exists()
    packages.mkdir()
    only(asked(), packages)
    shutil.copytree(home / "assets" / "documents", pages)
    said_to = json.loads(said("ENTRYPOINT", image)[0]) + json.loads(said("CMD", image)[0])
    done = subprocess.run(
        [sys.executable, "-S", "-P", *said_to[1:]],
        cwd=pages,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (home, packages)))},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert said("USER", image) == said("USER")
