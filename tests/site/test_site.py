import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest
from markupsafe import escape

import dmlviz
from dmlviz.operators import OPERATORS
from dmlviz.picture.files import page_script, plotly_script
from dmlviz.picture.payload import payload
from dmlviz.site import SitePage, write_site
from dmlviz.site.write import MARKER

HOSTILE = '</script><script>alert(1)</script><img src=x onerror="alert(1)">$payload ${policy}'


def traced(repeats=3):
    return dmlviz.run(dmlviz.Tile((1, repeats)), np.arange(6.0).reshape(2, 3))


def entry(slug="tile", title="Tile", words=("What is copied?",), trace=None, group="Tile"):
    return SitePage(slug, title, words, trace or traced(), group)


@pytest.fixture(scope="module")
def examples():
    """Every documentation example."""
    return [
        SitePage(
            f"{cls.key}-{number}",
            example.title,
            ("What do you expect?", "Now press Play."),
            dmlviz.run(example.operator, example.x),
            cls.key,
        )
        for cls in OPERATORS
        for number, example in enumerate(cls.examples(), 1)
    ]


@pytest.fixture(scope="module")
def site(examples, tmp_path_factory):
    return write_site(tmp_path_factory.mktemp("site") / "out", examples).parent


class Tags(HTMLParser):
    """What a page links to, and its tags."""

    def __init__(self, text):
        super().__init__()
        self.addresses, self.tags = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self.addresses += [v for k, v in attributes if k in ("href", "src", "srcset", "action")]


def read(path):
    return path.read_text(encoding="utf-8")


def test_what_is_written(site, examples):
    shared = {"plotly.min.js", "player.js", "player.css", "index.html", MARKER}
    assert {p.name for p in site.iterdir()} == {*shared, *(e.file for e in examples)}
    assert read(site / "plotly.min.js") == plotly_script()
    assert read(site / "player.js") == page_script()
    assert all(p.stat().st_mode & 0o044 for p in site.iterdir()) or os.name == "nt"


def test_pages_are_small(site, examples):
    for example in examples:
        text = read(site / example.file)
        data = json.dumps(payload(dmlviz.scene(example.trace)), ensure_ascii=False)
        assert len(text) < len(data) + 4_200


def test_links_are_relative_and_lead_somewhere(site):
    for page in site.glob("*.html"):
        for address in Tags(read(page)).addresses:
            parts = urlsplit(address)
            if parts.scheme == "data":
                continue
            assert (parts.scheme, parts.netloc) == ("", "")
            assert not parts.path.startswith(("/", ".."))
            assert (site / parts.path).is_file(), f"{page.name}: {address}"


def test_every_page_leads_to_the_next(site, examples):
    at, seen = examples[0].file, []
    while at:
        seen.append(at)
        links = {a.get("rel"): a["href"] for tag, a in Tags(read(site / at)).tags if tag == "a"}
        assert links[None] == "index.html"
        assert links.get("prev") == (seen[-2] if len(seen) > 1 else None)
        at = links.get("next")
    assert seen == [e.file for e in examples]


def test_the_gallery_leads_to_every_page_by_group(site, examples):
    text = read(site / "index.html")
    linked = [a["href"] for tag, a in Tags(text).tags if tag == "a"]
    assert linked == [e.file for e in examples]
    assert re.findall(r"<h2>(.*?)</h2>", text) == [cls.key for cls in OPERATORS]
    # what comes out is for whoever opens the page
    assert "{1, 1, 2, 3} → ?" in text
    assert "{1, 1, 6, 9}" not in text


def test_a_question_with_choices_hides_its_movement_until_one_is_open(tmp_path):
    choices = (("{2, 6}", "No: <3> copies."), ("{2, 9}", "Right."))
    asks = SitePage("asks", "Asks", ("Words.", "Which?"), traced(), "Tile", choices=choices)
    write_site(tmp_path, [asks, entry("b")], thumbnail=lambda scene: "<svg/>")
    page = read(tmp_path / "asks.html")
    for text, told in choices:
        said = f"<summary>{text}</summary><p>{escape(told)}</p>"
        assert f'<details name="choice">{said}</details>' in page
    assert page.index('class="choices"') < page.index("asks.svg") < page.index('class="movement"')
    assert "b.svg" not in read(tmp_path / "b.html")
    index = read(tmp_path / "index.html")
    assert "Which?" in index
    assert not any(text in index for choice in choices for text in choice)


def test_a_page_holds_its_words_and_its_payload(site, examples):
    for example in examples:
        text = read(site / example.file)
        assert f"<h1>{escape(example.title)}</h1>" in text
        for paragraph in example.words:
            assert f"<p>{paragraph}</p>" in text
        [data] = re.findall(r'<script type="application/json" id="payload">(.*?)</script>', text)
        sent = payload(dmlviz.scene(example.trace))
        assert json.loads(data) == json.loads(json.dumps(sent))
        assert escape(sent["check"]) in text


def test_only_the_two_files_run(site):
    for page in site.glob("*.html"):
        found = Tags(read(page))
        [rules] = [
            a["content"] for t, a in found.tags if a.get("http-equiv") == "Content-Security-Policy"
        ]
        rules = dict(rule.strip().split(" ", 1) for rule in rules.split(";"))
        assert rules["default-src"] == "'none'"
        gallery = page.name == "index.html"
        assert rules["script-src"] == ("'none'" if gallery else "'self' file:")
        scripts = [
            a for t, a in found.tags if t == "script" and a.get("type") != "application/json"
        ]
        wanted = [] if gallery else [{"src": "plotly.min.js"}, {"src": "player.js"}]
        assert scripts == wanted
        assert not [name for _t, a in found.tags for name in a if name.startswith("on")]


def test_hostile_words_stay_words(tmp_path):
    pages = [
        entry("a", HOSTILE, (HOSTILE, HOSTILE), group=HOSTILE),
        entry("b", "B", ()),
    ]
    write_site(tmp_path, pages)
    plain = entry("a", "A", ("", ""), group="A")
    write_site(tmp_path / "plain", [plain, entry("b", "B", ())])
    for name in ("index.html", "a.html", "b.html"):
        text = read(tmp_path / name)
        assert escape(HOSTILE) in text
        assert HOSTILE not in text
        kinds = [
            [tag for tag, _ in Tags(read(f / name)).tags] for f in (tmp_path, tmp_path / "plain")
        ]
        assert kinds[0] == kinds[1]


def test_thumbnails(tmp_path):
    drawn = []

    def thumbnail(scene):
        drawn.append(scene.trace)
        return f"<svg>{len(drawn)}</svg>"

    pages = [entry("a"), entry("b", trace=traced(2))]
    write_site(tmp_path, pages, thumbnail=thumbnail)
    assert drawn == [page.trace for page in pages]
    assert read(tmp_path / "b.svg") == "<svg>2</svg>"
    pictures = [a for tag, a in Tags(read(tmp_path / "index.html")).tags if tag == "img"]
    assert [picture["src"] for picture in pictures] == ["a.svg", "b.svg"]


def test_thumbnails_for_the_dark(tmp_path):
    pages = [entry("a"), entry("a-dark")]
    write_site(
        tmp_path,
        pages,
        thumbnail=lambda scene: "<svg/>",
        dark_thumbnail=lambda scene: "<svg> </svg>",
    )
    assert read(tmp_path / "a.svg") == read(tmp_path / "a-dark.svg") == "<svg/>"
    assert read(tmp_path / "a.dark.svg") == "<svg> </svg>"
    found = [a for tag, a in Tags(read(tmp_path / "index.html")).tags if tag == "source"]
    assert [source["srcset"] for source in found] == ["a.dark.svg", "a-dark.dark.svg"]
    assert {source["media"] for source in found} == {"(prefers-color-scheme: dark)"}
    write_site(tmp_path, pages)
    assert not list(tmp_path.glob("*.svg"))


def test_progress(tmp_path):
    told = []
    write_site(tmp_path, [entry("a"), entry("b")], lambda done, all_: told.append((done, all_)))
    assert told == [(1, 2), (2, 2)]


def test_written_again_is_brought_up_to_date(tmp_path):
    write_site(tmp_path, [entry("a"), entry("b")], thumbnail=lambda scene: "<svg/>")
    (tmp_path / "CNAME").write_text("course.example")
    write_site(tmp_path, [entry("b", "B again"), entry("c")])
    left = {p.name for p in tmp_path.iterdir()}
    assert left == {
        *("CNAME", MARKER, "index.html", "plotly.min.js", "player.js", "player.css"),
        *("b.html", "c.html"),
    }
    assert "B again" in read(tmp_path / "b.html")


@pytest.mark.parametrize("name", ["index.html", "notes.txt", ".git"])
def test_a_folder_of_somebody_elses_is_left_alone(tmp_path, name):
    (tmp_path / name).write_text("mine")
    with pytest.raises(dmlviz.Error, match=rf"^folder .* holds '{re.escape(name)}'") as caught:
        write_site(tmp_path, [entry()])
    assert caught.value.field == "folder"
    assert [(p.name, read(p)) for p in tmp_path.iterdir()] == [(name, "mine")]


def test_a_page_of_somebody_elses_in_our_folder_is_left_alone(tmp_path):
    write_site(tmp_path, [entry("a")])
    (tmp_path / "b.html").write_text("mine")
    with pytest.raises(dmlviz.Error, match=r"holds 'b\.html'"):
        write_site(tmp_path, [entry("a"), entry("b")])
    assert read(tmp_path / "b.html") == "mine"


@pytest.mark.parametrize("marker", ["", "[]", "{}", '["index.html"]', "[" * 100_000, "\0", "null"])
def test_a_damaged_marker_is_not_ours(tmp_path, marker):
    (tmp_path / MARKER).write_text(marker)
    (tmp_path / "index.html").write_text("mine")
    with pytest.raises(dmlviz.Error, match=r"^folder "):
        write_site(tmp_path, [entry()])
    assert read(tmp_path / "index.html") == "mine"


def test_a_marker_deletes_nothing_but_pages_of_the_folder(tmp_path):
    outside = tmp_path / "outside.html"
    outside.write_text("mine")
    folder = tmp_path / "site"
    write_site(folder, [entry("a")])
    (folder / "notes.txt").write_text("mine")
    listed = [*json.loads(read(folder / MARKER)), "../outside.html", "notes.txt", str(outside), 7]
    (folder / MARKER).write_text(json.dumps(listed))
    write_site(folder, [entry("b")])
    assert read(outside) == read(folder / "notes.txt") == "mine"
    assert not (folder / "a.html").exists()


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_are_not_followed(tmp_path):
    outside = tmp_path / "outside.html"
    outside.write_text("mine")
    folder = tmp_path / "site"
    write_site(folder, [entry("a")])
    (folder / "a.html").unlink()
    (folder / "a.html").symlink_to(outside)
    write_site(folder, [entry("a")])
    assert read(outside) == "mine"
    assert not (folder / "a.html").is_symlink()


def test_a_file_is_no_folder(tmp_path):
    path = tmp_path / "file"
    path.write_text("mine")
    with pytest.raises(dmlviz.Error, match=r"^folder .* is a file"):
        write_site(path, [entry()])
    assert read(path) == "mine"


@pytest.mark.parametrize(
    "slug",
    [
        *("", "..", "../a", "a/b", "a\\b", "/a", "A", "a_b", "a--b", "-a", "a-", "a.b", "ä", "a b"),
        *("index", "con", "com1", "a\n", "a\0", "a" * 81),
    ],
)
def test_what_is_no_slug(slug):
    with pytest.raises(dmlviz.Error, match=r"^slug is ") as caught:
        entry(slug)
    assert caught.value.field == "slug"


def test_slugs_and_files():
    assert entry("depth-to-space-2").file == "depth-to-space-2.html"
    assert entry("a" * 80).slug == "a" * 80


@pytest.mark.parametrize("title", ["", "  \n"])
def test_a_page_needs_a_title(title):
    with pytest.raises(dmlviz.Error, match=r"^title of page 'tile' is empty"):
        entry(title=title)


def test_pages_that_make_no_site(tmp_path):
    folder = tmp_path / "site"
    with pytest.raises(dmlviz.Error, match=r"^slug 'a' is used by two pages"):
        write_site(folder, [entry("a"), entry("b"), entry("a")])
    with pytest.raises(dmlviz.Error, match=r"^pages is empty"):
        write_site(folder, [])
    large = dmlviz.run(dmlviz.Tile((257, 1)), np.zeros((1, 256), np.int8))
    with pytest.raises(dmlviz.TooLarge):
        write_site(folder, [entry("a"), entry("b", trace=large)])
    assert not folder.exists()


def test_it_does_not_matter_where_the_program_was_started(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert write_site("out", [entry()]) == Path("out") / "index.html"
    assert (tmp_path / "out" / "tile.html").is_file()
