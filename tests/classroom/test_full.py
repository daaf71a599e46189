"""A database that is full while a class votes: a sentence, and nothing acknowledged is lost."""

from __future__ import annotations

from contextlib import closing, contextmanager

from tests.classroom.conftest import QUESTIONS
from tests.classroom.serving import Lesson, serving

DEVICES = 70
ROOM = 7
"""Votes that PostgreSQL has room for here; of SQLite's pages there are a few more."""

# what the server itself says where a disk is full; a trigger of its own says it sooner
NO_ROOM = f"""
CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (SELECT count(*) FROM dmlviz_vote) >= {ROOM} THEN
    RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER no_room BEFORE INSERT ON dmlviz_vote FOR EACH ROW EXECUTE FUNCTION no_room();
"""


@contextmanager
def full_sqlite(service):
    def limited(pages):
        with service._database.writing.connect() as connection:
            pages = pages or connection.exec_driver_sql("PRAGMA page_count").scalar()
            connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")

    limited(0)
    yield
    limited(100_000)


@contextmanager
def full_postgres(postgres, address):
    with closing(postgres.connect(address.rpartition("/")[2])) as connection:
        connection.execute(NO_ROOM)
        yield
        connection.execute("DROP TRIGGER no_room ON dmlviz_vote")


def test_no_vote_is_acknowledged_that_has_no_room(address, request):
    with serving(address) as (port, service):
        lesson = Lesson(port, QUESTIONS)
        browsers = [lesson.join() for _device in range(DEVICES)]
        lesson.move("ask")
        postgres = "://" in address and request.getfixturevalue("postgres")
        with full_postgres(postgres, address) if postgres else full_sqlite(service):
            told = [lesson.vote(browser, 1) for browser in browsers]
            stored = [status for status, _told in told].count(200)
            assert 0 < stored < DEVICES
            refused = [answer for status, answer in told if status != 200]
            sentence = (
                "The disk of the class's database is full. Nothing is stored until it has room."
            )
            assert all(each == {"error": "disk_full", "message": sentence} for each in refused)
            # the others go on seeing where the class is, and so does the teacher
            stream = browsers[0].listen(f"{lesson.path}/events")
            assert stream.next()[1]["phase"] == "ask"
            stream.close()
            assert votes(lesson) == stored
        # the telephones send the same again by themselves
        assert [lesson.vote(each, 1)[0] for each in browsers] == [200] * DEVICES
        assert votes(lesson) == DEVICES


def votes(lesson):
    rows = lesson.teacher.get(f"{lesson.path}/results")[1]["rows"]
    return rows[0]["rounds"][0]["votes"]
