"""The lines of ``lines.toml``: their code, the sizes of ``x`` and ``y``, and the kind of refusal if due."""

import tomllib
from pathlib import Path

LINES = {
    library: [
        (code, tuple(map(tuple, sizes)), kind[0] if kind else "") for code, sizes, *kind in rows
    ]
    for library, rows in tomllib.loads(
        Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    ).items()
}
