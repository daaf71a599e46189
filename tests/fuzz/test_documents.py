"""Pages: 3,200 made from real ones, as text and as the bytes of an uploaded file."""

import pytest

from tests.fuzz import corpus, doors
from tests.fuzz.mutations import mutations
from tests.thorough import tries

ALL = {"match", "mismatch", "refused", "unreadable"}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_pages(seed, bounded):
    seen = set()
    for page in mutations(seed, corpus.documents(), corpus.DOCUMENT_WORDS, tries(1_200)):
        bounded()
        seen |= doors.document(page)
    assert seen == ALL


def test_uploaded_files(bounded):
    seen = set()
    for page in mutations(2, corpus.documents(), corpus.DOCUMENT_WORDS, tries(800)):
        bounded()
        # a file has any name and any bytes
        seen |= doors.document(page.encode("utf-8", "surrogatepass"), name=page[:30])
    assert seen == ALL


@pytest.mark.parametrize(
    "mark", [b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\x00", b"\xff", b"PK\x03\x04"]
)
def test_files_that_are_no_text(mark, bounded):
    for page in corpus.documents()[:3]:
        for data in (
            mark + page.encode(),
            page.encode() + mark,
            mark,
            mark + page.encode("utf-16-le"),
        ):
            bounded()
            doors.document(data, "page.md")
