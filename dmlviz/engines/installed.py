"""Which runtime is installed here, and what prevents its use."""

from __future__ import annotations

import functools
import importlib
import os
import platform
import sys
from collections.abc import Sequence
from typing import Any

from dmlviz.base.words import _, listed

RUNTIMES = ("onnxruntime", "onnxruntime-directml", "onnxruntime-windowsml", "onnxruntime-gpu")
"""Packages that write the same files to the same folder; only one can be installed."""


class Installed:
    """The facts about this machine that engines need; tests replace it.

    Attributes:
        system: ``sys.platform``.
        machine: the processor, ``AMD64``, ``x86_64``, ``arm64``, ...
    """

    def __init__(self) -> None:
        self.system = sys.platform
        self.machine = platform.machine()

    def packages(self) -> Sequence[str]:
        """The runtime packages that are installed."""
        return _runtime_packages()

    def onnxruntime(self) -> Any:
        """The module.

        Raises:
            ImportError: it is not installed, or does not load.
        """
        # since 1.31 it counts its users and stores an ID for each machine, unless turned off
        os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
        return importlib.import_module("onnxruntime")

    def version(self) -> str:
        """The runtime's version."""
        return str(self.onnxruntime().__version__)

    def why_no_models(self) -> str:
        """Why ONNX models cannot run here, in one sentence; empty if they can."""
        packages = self.packages()
        if len(packages) > 1:
            return _(
                "{packages} conflict with each other; uninstall all of them, then install the "
                "one in requirements.txt."
            ).format(packages=listed(packages))
        try:
            ort = self.onnxruntime()
            # uninstalling one of two such packages leaves a folder with only some of the files
            if not hasattr(ort, "InferenceSession"):
                raise ImportError(_("it is incomplete; uninstall it, then install it again."))
        except Exception as error:
            if not packages and isinstance(error, ModuleNotFoundError):
                return _("ONNX Runtime is not installed; run pip install -r requirements.txt.")
            return _("{package} is installed but cannot be loaded: {words}").format(
                package=packages[0] if packages else "onnxruntime",
                words=" ".join(str(error).split())[:300],
            )
        return ""


@functools.cache
def _runtime_packages() -> list[str]:
    # half as long to import as NumPy is
    from importlib import metadata

    names = {str(d.name).lower().replace("_", "-") for d in metadata.distributions() if d.name}
    return [name for name in RUNTIMES if name in names]
