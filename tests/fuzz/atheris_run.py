"""A search guided by coverage: ``python -m tests.fuzz.atheris_run literals --runs 100000``.

Needs atheris, which the suite does not: ``pip install atheris``.  It stops at the first input that
breaks a promise, prints it, and keeps it in a file; mend the reader, and add the input to
``test_found.py``.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path


def _text(data: bytes) -> str:
    # bytes that are no UTF-8 become halves of letters, which are tried, too
    return data.decode("utf-8", "surrogateescape")


def main() -> None:
    """Search until so many inputs were tried, or one breaks a promise."""
    import atheris

    with atheris.instrument_imports(include=["dmlviz"]):
        from tests.fuzz import corpus, doors

    def literals(data: bytes) -> None:
        doors.literal(_text(data[1:]), doors.TYPES[data[0] % 11] if data else "FLOAT32")

    def links(data: bytes) -> None:
        doors.link(_text(data))

    def documents(data: bytes) -> None:
        # the text of a pasted page, or the bytes of a file
        doors.document(_text(data[1:]) if data[:1] == b"t" else data[1:])

    readers = {
        "literals": (literals, corpus.literals, corpus.LITERAL_WORDS),
        "links": (links, corpus.links, corpus.LINK_WORDS),
        "documents": (documents, corpus.documents, corpus.DOCUMENT_WORDS),
    }
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.atheris_run", description=__doc__)
    parser.add_argument("reader", choices=list(readers))
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--seconds", type=int, default=0, help="stop after so long; 0: never")
    asked = parser.parse_args()
    reader, texts, words = readers[asked.reader]
    first = b"" if asked.reader == "links" else b"t"
    with tempfile.TemporaryDirectory() as folder:
        seeds = Path(folder, "seeds")
        seeds.mkdir()
        for number, text in enumerate(texts()):
            (seeds / str(number)).write_bytes(first + text.encode())
        dictionary = Path(folder, "words")
        quoted = ("".join(f"\\x{byte:02x}" for byte in word.encode()) for word in words if word)
        dictionary.write_text("\n".join(f'"{word}"' for word in quoted))
        options = [f"-runs={asked.runs}", f"-max_total_time={asked.seconds}", f"-dict={dictionary}"]
        options += [
            "-max_len=4000",
            "-len_control=0",
            "-timeout=20",
            "-rss_limit_mb=2048",
            "-print_final_stats=1",
        ]
        atheris.Setup([sys.argv[0], *options, str(seeds)], reader)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
