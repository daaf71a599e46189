import pytest

from dmlviz.base import words
from tests.words.speaking import BRACKETED, write_bracketed


@pytest.fixture(scope="session")
def _bracketed_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("locale")
    write_bracketed(folder)
    return folder


@pytest.fixture
def other(monkeypatch, _bracketed_folder):
    """A second language, whose every message stands in brackets; its code."""
    monkeypatch.setattr(words, "LOCALE", _bracketed_folder)
    words.languages.cache_clear()
    words._catalogue.cache_clear()
    words._locale.cache_clear()
    yield BRACKETED
    words.languages.cache_clear()
    words._catalogue.cache_clear()
    words._locale.cache_clear()
