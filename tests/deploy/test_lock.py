"""The packages of the image: exactly those whose hashes are locked, and they are what the app asks for."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, distribution

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.deploy.cluster import DEPLOY
from tests.deploy.test_files import LOCK, ROOT, said

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


def locked():
    """Each package of the lock, with the number of its hashes."""
    text = (ROOT / LOCK).read_text(encoding="utf-8")
    text = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    found = []
    for entry in re.split(r"\n(?=\S)", text.replace("\\\n", " ")):
        name, *hashes = entry.split("--hash=sha256:")
        assert all(re.fullmatch(r"[0-9a-f]{64}\s*", one) for one in hashes), entry
        found.append((Requirement(name.strip()), len(hashes)))
    return found


def asked():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = project["dependencies"] + project["optional-dependencies"]["postgres"]
    return [Requirement(line) for line in lines]


def on(machine, requirements):
    """Those that apply to a machine, by name."""
    applying = [one for one in requirements if one.marker is None or one.marker.evaluate(machine)]
    named = {canonicalize_name(one.name): one for one in applying}
    assert len(named) == len(applying)
    return named


def test_every_line_is_one_version_with_hashes():
    assert locked()
    for one, hashes in locked():
        assert re.fullmatch(r"==[^*,]+", str(one.specifier)), one
        assert one.url is None
        assert hashes >= 1, one


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine["platform_machine"])
def test_it_is_what_the_app_and_its_extra_for_postgresql_allow(machine):
    lock = on(machine, [one for one, _hashes in locked()])
    for name, one in on(machine, asked()).items():
        assert name in lock, f"{name} is not locked: see deploy/README.md"
        version = str(lock[name].specifier).removeprefix("==")
        assert one.specifier.contains(version), f"{name} {version} is not {one.specifier}"


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine["platform_machine"])
def test_nothing_is_missing_that_these_need(machine):
    """As far as the same versions are installed here, whose own requirements can be read."""
    lock = on(machine, [one for one, _hashes in locked()])
    read = 0
    for name, one in lock.items():
        try:
            here = distribution(name)
        except PackageNotFoundError:
            continue
        if one.specifier.contains(here.version):
            needs = on(machine, map(Requirement, here.requires or ()))
            assert set(needs) <= set(lock), name
            read += 1
    if not read:
        pytest.skip("other versions are installed here")


def test_no_place_to_load_from_is_named():
    """Everybody's pip knows where it loads from: a company's own mirror, too."""
    text = (ROOT / LOCK).read_text(encoding="utf-8")
    assert not re.search(r"://|--(extra-)?index-url|--find-links|--trusted-host", text)


def test_the_image_installs_nothing_else():
    (install,) = [rest for rest in said("RUN") if "pip install" in rest]
    assert "--require-hashes" in install
    assert "--only-binary :all:" in install
    assert re.findall(r"-r (\S+)", install) == ["/tmp/requirements.lock"]
    assert f"{LOCK} /tmp/requirements.lock" in said("COPY")


def test_it_is_made_for_the_python_of_the_image_by_the_command_that_is_documented():
    options = tomllib.loads((DEPLOY / "uv.toml").read_text(encoding="utf-8"))["pip"]
    assert options["python-version"] == PYTHON
    assert any(rest.startswith(f"PYTHON_IMAGE=python:{PYTHON}.") for rest in said("ARG"))
    command = options["custom-compile-command"]
    assert f"#    {command}\n" in (ROOT / LOCK).read_text(encoding="utf-8")
    assert f"\n{command}\n" in (DEPLOY / "README.md").read_text(encoding="utf-8")
