"""Which runtime is installed here, and what is in the way of using it."""

from __future__ import annotations

import importlib
import platform
import sys
from collections.abc import Sequence
from importlib import metadata
from typing import Any

from dmlviz.words import _

RUNTIMES = ("onnxruntime", "onnxruntime-directml", "onnxruntime-windowsml", "onnxruntime-gpu")
"""Packages that put the same files into the same folder; only one of them can be installed."""


class Installed:
    """The facts about this machine that engines ask for; tests stand in another.

    Attributes:
        system: ``sys.platform``.
        machine: the processor, ``AMD64``, ``x86_64``, ``arm64``, ...
    """

    def __init__(self) -> None:
        self.system = sys.platform
        self.machine = platform.machine()

    def packages(self) -> Sequence[str]:
        """The runtime packages that are installed."""
        found = {str(d.name).lower().replace("_", "-") for d in metadata.distributions() if d.name}
        return [name for name in RUNTIMES if name in found]

    def onnxruntime(self) -> Any:
        """The module.

        Raises:
            ImportError: it is not there, or does not load.
        """
        return importlib.import_module("onnxruntime")

    def version(self) -> str:
        """The runtime's version."""
        return str(self.onnxruntime().__version__)

    def why_no_models(self) -> str:
        """Why no ONNX model can be run here, in one sentence; empty where one can."""
        packages = self.packages()
        if len(packages) > 1:
            return _(
                "{packages} are installed over each other, so that neither is whole; uninstall "
                "all of them, then install the one of requirements.txt."
            ).format(packages=_(" and ").join(packages))
        try:
            self.onnxruntime()
        except ImportError as error:
            if not packages:
                return _(
                    "ONNX Runtime is not installed; pip install -r requirements.txt brings it."
                )
            return _("{package} is installed but does not load: {words}").format(
                package=packages[0], words=" ".join(str(error).split())[:300]
            )
        try:
            importlib.import_module("onnx")
        except ImportError:
            return _(
                "the package onnx is not installed; pip install -r requirements.txt brings it."
            )
        return ""
