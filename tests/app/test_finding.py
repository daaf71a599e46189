"""The search box on Home, and the page of names."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl

import pytest

from dmlviz.operators import OPERATORS, by_family
from dmlviz.operators.texts import family_title
from dmlviz.states import read_link
from dmlviz.teaching.names import compositions, names
from dmlviz.teaching.search import answers
from tests.app.conftest import HOSTILE

LINK = re.compile(r"\| \[`(.*?)`\]\((\S+)\) \| (\w+) \| (.*) \|")
NOTHING = "No operator is called"


def typed(session, text):
    """The page after somebody has typed into the search box."""
    session.at.text_input(key="search").set_value(text).run()
    assert session.exceptions == []
    return session


def links(session):
    """What the links of the page say, and what they open."""
    return {link.label: (link.page, dict(parse_qsl(link.query_string))) for link in session.links}


def notes(session):
    return [one.value for one in session.at.caption if "→" in one.value]


def told(session):
    return [text for text in session.texts if text.startswith(NOTHING)]


def rows(session):
    """The rows of all tables: name, link, library, call."""
    return [row for text in session.texts for row in LINK.findall(text)]


@pytest.mark.parametrize(
    ("text", "label", "page"),
    [
        (
            "torch.gather",
            "**`torch.gather`** \u2002 PyTorch \u2002 Gather Elements",
            "gather-elements",
        ),
        (
            "pixel_shuffle",
            "**`F.pixel_shuffle`** \u2002 PyTorch \u2002 Depth to space",
            "depth-to-space",
        ),
        (
            "DML_SLICE_OPERATOR_DESC",
            "**`DML_OPERATOR_SLICE`** \u2002 DirectML \u2002 Slice",
            "slice",
        ),
        ("패딩", "**Padding**", "padding"),
    ],
)
def test_home_finds_an_operator_by_any_name(session, text, label, page):
    session.at.run()
    assert told(session) == []
    before = links(session)
    new = {found: to for found, to in links(typed(session, text)).items() if found not in before}
    assert next(iter(new)) == label
    assert new[label][0] == page
    assert new.pop("All names and calls") == ("names", {"search": text})
    assert [to for page, to in new.values() if page != "lessons"] == [
        read_link(name.link).state.parameters(whole=True) if "?" in name.link else {}
        for answer in answers(text, names(), compositions())
        for name in (*answer.names, *answer.containing, *answer.similar)
    ]


def test_home_says_that_nothing_has_such_a_name(session):
    session.at.run()
    before = links(session)
    typed(session, "zzzz")
    assert told(session) == ['No operator is called "zzzz". Try one word, such as gather or pad.']
    assert links(session).items() <= before.items(), "nothing is offered"
    typed(session, "")
    assert told(session) == []


@pytest.mark.parametrize("page", ["home", "names"])
def test_what_no_operator_does_is_said_with_what_does(session, page):
    session.open(page, search="np.roll(x, 2)")
    before = set() if page == "names" else {"Slice", "Join"}
    sentence = "No operator is called `np.roll(x, 2)`. No single operator does it; two do."
    assert sum(text.startswith(sentence) for text in session.texts) == 1
    assert {"Slice", "Join"} <= links(session).keys() | before
    if page == "names":
        assert rows(session) == []


def test_each_call_of_a_chain_is_answered(session):
    session.open("home", search="x.reshape(2,3,4).permute(0,2,1)")
    found = [text for text in session.texts if text[:2] in ("1.", "2.")]
    assert found == ["1. `x.reshape(2,3,4)`", "2. `.permute(0,2,1)`"]
    assert any("torch.permute" in label for label in links(session))
    assert "Resample" not in " ".join(told(session))
    example = "The example is `y = torch.permute(x.reshape(1, 2, 2, 3), (0, 2, 3, 1))`."
    captions = [each.value for each in session.at.caption]
    assert [text for text in captions if text.startswith(example)]


@pytest.mark.parametrize("page", ["home", "names"])
def test_an_address_may_ask(session, page):
    session.open(page, search="np.flip")
    assert session.exceptions == []
    assert session.at.text_input(key="search").value == "np.flip"
    if page == "names":
        # those that match, then the operator's other names
        shown = [row[0] for row in rows(session)]
        assert {*shown[:3]} == {"np.flip", "np.fliplr", "np.flipud"}
        assert {*shown} == {name.text for name in names() if name.key == "slice" and name.call}
    else:
        assert any("np.flip" in label for label in links(session))


def test_the_page_has_every_name_by_operator_and_family(session):
    session.open("names")
    assert session.exceptions == []
    assert [head.value for head in session.at.title] == ["Other names for the same operator"]
    assert [head.value for head in session.at.header] == [
        family_title(family) for family, kin in by_family().items() if kin
    ]
    every = {name.text: name for name in names()}
    found = rows(session)
    for text, link, library, call in found:
        name = next(n for n in names() if n.text == text and n.link == f"/{link}")
        assert (name.library, name.call) == (library, call[1:-1].replace("` `", "\n"))
        assert not read_link(link).problems
    assert len(found) == sum(bool(name.call) for name in names())
    assert {text for text, *_others in found} <= every.keys()
    for cls in OPERATORS:
        if any(name.call for name in names() if name.key == cls.key):
            assert any(f"`{cls.operator_type}`" in text for text in session.texts)


@pytest.mark.parametrize("text", ["Split", "dml_operator_split", "스플릿", "torch.split"])
def test_any_name_of_an_operator_shows_all_of_its_names(session, text):
    session.open("names")
    own = {name.text for name in names() if name.key == "split" and name.call}
    assert own <= {row[0] for row in rows(typed(session, text))}


def test_the_page_says_that_nothing_has_such_a_name(session):
    session.open("names")
    typed(session, "no such thing")
    assert len(told(session)) == 1
    assert rows(session) == []
    assert not session.at.header


def test_links_open_in_the_readers_language(session):
    session.open("names", lang="ko")
    assert rows(session)
    assert all(link.endswith("lang=ko") for _text, link, *_others in rows(session))
    typed(session, "갸갸갸")
    assert len(session.texts) > 1


@pytest.mark.parametrize("page", ["home", "names"])
@pytest.mark.parametrize("text", sorted(HOSTILE))
def test_what_is_typed_is_never_taken_for_more_than_text(session, page, text):
    session.open(page, search=HOSTILE[text][:80])
    assert session.exceptions == []
    for said in told(session):
        assert len(said) < 200
        taken = r"\]\(|(?<!\\)\$|(?<!\\):red\[|:material/home|:smile:|http://|(?<!\\)<"
        assert not re.search(taken, said), said


def test_a_name_opens_an_example_that_is_called_by_it(session):
    due = "`y = F.pad(x, (2, 0, 1, 2), value=9)`"
    page, query = links(typed(session.open("home"), "F.pad"))[
        "**`F.pad`** \u2002 PyTorch \u2002 Padding"
    ]
    session.open(page, **query)
    assert f"**`F.pad`** \u2002 {due}" in session.texts
    assert "Your own settings" not in session.texts
    # without a search, by every name that the state has
    session.open("home", search="tile")
    assert "`ONNX Pad`, `np.pad`, `F.pad`" in session.open(page, **query).texts
    session.set(end_padding_2=1)
    assert "Your own settings" in session.texts


def test_a_call_opens_an_operator_with_its_arguments_and_the_page_says_what_they_became(session):
    typed(session.open("home"), "np.pad(x, ((1,1),(0,2)), mode='reflect')")
    due = "pad_width → StartPadding [1, 0]; EndPadding [1, 2] · mode → PaddingMode REFLECTION"
    assert [re.sub(r"[\\\u2060]", "", note) for note in notes(session)] == [due]
    page, query = links(session)["**Padding** \u2002 `np.pad(x, ((1,1),(0,2)), mode='reflect')`"]
    assert page == "padding"
    assert {"search", "call"} & query.keys() == set()
    session.open(page, **query)
    (note,) = notes(session)
    assert note.startswith("From `np.pad(x, ((1,1),(0,2)), mode='reflect')`: ")
    # other settings are not those of the call
    session.set(start_padding_0=2)
    assert notes(session) == []
    session.set(start_padding_0=1)
    assert len(notes(session)) == 1
    session.at.button(key="callnote_hide").click().run()
    assert notes(session) == []
    assert session.exceptions == []


def test_home_finds_a_lesson_by_a_call(session):
    session.at.run()
    typed(session, "reshape")
    found = [link.query_string for link in session.links if link.page == "lessons"]
    assert "lesson=reshape-and-transpose&part=1" in found


def test_an_operators_page_leads_to_those_that_it_is_confused_with(explorer):
    shown = explorer("gather_elements")
    links = [link.proto.label for link in shown.at.get("page_link")]
    assert [label.split(":")[0] for label in links][-2:] == ["Gather", "GatherND"]


def test_what_is_confused_with_an_operator_is_an_operator():
    keys = {cls.key for cls in OPERATORS}
    for cls in OPERATORS:
        assert set(cls.texts().near) <= keys - {cls.key}
