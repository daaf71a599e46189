"""Where the app's files are: beside the package in a checkout, inside it when installed."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
_INSTALLED = PACKAGE / "installed"
ROOT = _INSTALLED if _INSTALLED.is_dir() else PACKAGE.parent
"""The folder that holds ``app.py``, ``pages`` and ``assets``."""

ASSETS = ROOT / "assets"
