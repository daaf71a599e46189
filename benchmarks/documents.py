"""How long it takes to verify a folder of pages, and to refuse pages made to break the reader.

``python -m benchmarks.documents`` prints two tables; DirectML's own folder has 221 pages.  Absolute
figures are this machine's; in the first table read the last column, which stays near 1 where the
time is linear in the number of pages.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import tempfile
import time
from pathlib import Path

from dmlviz.__main__ import main as run
from dmlviz.verify import as_lines, available, built_in, check, document_data, read_document
from dmlviz.verify.text import text_of
from tests.verify.test_hostile import LARGE, SMALL

PAGES = (50, 100, 221, 500)
ROUNDS = 3


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*", type=int, default=PAGES)
    parser.add_argument("--engine", default="all")
    arguments = parser.parse_args()
    folders(arguments.pages, arguments.engine)
    print()
    hostile()


def folders(counts: list[int] | tuple[int, ...], engine: str) -> None:
    """One command for a folder of so many pages."""
    verified(4, engine)  # the first run imports the engines
    first = 0.0
    print(f"| pages, engine {engine} | seconds | ms a page | a page, times the first |")
    print("|---|---|---|---|")
    for count in counts:
        seconds = min(verified(count, engine) for _round in range(ROUNDS))
        each = seconds / count
        first = first or each
        print(f"| {count} | {seconds:.2f} | {1_000 * each:.1f} | {each / first:.2f} |", flush=True)


def verified(count: int, engine: str) -> float:
    """The seconds of ``python -m dmlviz verify`` on copies of the built-in pages."""
    pages = built_in()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            page = pages[number % len(pages)]
            Path(folder, f"{number:04}.md").write_text(page.text, encoding="utf-8")
        begun = time.perf_counter()
        with contextlib.redirect_stdout(io.StringIO()):
            code = run(["verify", folder, "--engine", engine, "--quiet"])
        seconds = time.perf_counter() - begun
    if code:
        raise SystemExit(f"a built-in page does not match: exit code {code}")
    return seconds


def hostile() -> None:
    """One row per page of a megabyte or of monstrous sizes."""
    print("| page | bytes | seconds |")
    print("|---|---|---|")
    for name, page in (LARGE | SMALL).items():
        begun = time.perf_counter()
        document = read_document(page)
        report = check(document, text_of(page), available())
        document_data(report)
        as_lines(report)
        print(f"| {name} | {len(page):,} | {time.perf_counter() - begun:.2f} |", flush=True)


if __name__ == "__main__":
    main()
