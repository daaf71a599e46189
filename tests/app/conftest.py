"""One person's session of the app, through Streamlit's own AppTest."""

from __future__ import annotations

import base64
import functools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from dmlviz.operators import OPERATORS
from tests.pages import go_to

ROOT = Path(__file__).resolve().parents[2]
EXPLORERS = tuple(cls.key.replace("-", "_") for cls in OPERATORS)
SECTIONS = ("engines", "files", "formula", "same", "example", "code", "table")
HOSTILE = {
    "picture": "![x](http://example.invalid/a.png)",
    "script": "<script>alert(1)</script>",
    "formula": "$x$",
    "colour": ":red[x] :material/home: :smile:",
    "long": "<b>![x](http://example.invalid/a.png)</b>" * 2_500,
}
_WIDGETS = ("text_input", "text_area", "selectbox", "number_input", "button", "toggle")


def side_labels(side: dict[str, Any]) -> dict[int, str]:
    """The labels of the cells of one side, by their numbers, as far as they were sent."""
    return {
        cell: label
        for tensor in side["tensors"]
        for cell, label in enumerate(tensor["labels"] or (), tensor["first"])
    }


def output_labels(sent: dict[str, Any]) -> list[str]:
    """The outputs' labels, as the player will write them."""
    own, labels = side_labels(sent["output"]), side_labels(sent["input"])
    packed = base64.b64decode(sent["source"]["bdata"])
    source = np.frombuffer(packed, f"<{sent['source']['dtype']}")
    return [
        own.get(cell, sent["paddingLabel"] if s < 0 else labels.get(s))
        for cell, s in enumerate(source.tolist())
    ]


def address(session: Session) -> str:
    """Of the page that a session shows, from the app's root on."""
    words = "&".join(f"{name}={value}" for name, value in session.at.query_params.items())
    return f"/{session.page.replace('_', '-')}?{words}"


class Session:
    """The app as one person sees it; widgets by the name of their setting."""

    def __init__(self) -> None:
        self.at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
        self.page = "home"

    def open(self, page: str, *, sections: bool = True, **query: str) -> Session:
        """A page by its address; whatever can be opened on an explorer is open.

        Args:
            page: its file.
            sections: False leaves shut what an explorer opens when it is asked to.
            query: the words of the address.
        """
        self.page = page
        go_to(self.at, page)
        for name in list(self.at.query_params):
            del self.at.query_params[name]
        for name, value in query.items():
            self.at.query_params[name] = value
        if page in EXPLORERS and sections:
            self.at.session_state[f"{page}_more"] = list(SECTIONS)
            self.at.session_state[f"{page}_editing"] = True
        self.at.run()
        return self

    def widget(self, name: str) -> Any:
        key = f"{self.page}_{name}"
        for kind in _WIDGETS:
            for found in getattr(self.at, kind):
                if found.key == key:
                    return found
        raise KeyError(key)

    def has(self, name: str) -> bool:
        try:
            self.widget(name)
        except KeyError:
            return False
        return True

    def set(self, **values: Any) -> Session:
        """Use widgets one after the other, as a person does; a rerun after each."""
        for name, value in values.items():
            self.widget(name).set_value(value).run()
            self.whole()
        return self

    def whole(self) -> Session:
        """After only the stage was redrawn: the page that a full run draws."""
        if not self.at.title:
            self.at.run()
        return self

    def reset(self) -> Session:
        self.widget("reset").click().run()
        return self

    def value(self, name: str) -> Any:
        return self.widget(name).value

    def state(self) -> dict[str, Any]:
        """All widgets that set something, and what they hold, in order."""
        held = {
            found.key.removeprefix(f"{self.page}_"): found.value
            for kind in _WIDGETS[:-1]
            for found in getattr(self.at, kind)
        }
        # what a download shows is no setting of the picture
        held = {name: value for name, value in held.items() if not name.startswith("moment_")}
        # which preset this is follows from the others
        held.pop("preset", None)
        # the number of an answer
        return {name: value for name, value in held.items() if not name.endswith("received")}

    @property
    def exceptions(self) -> list[str]:
        return [found.message for found in self.at.exception]

    @property
    def errors(self) -> list[str]:
        return [found.value for found in self.at.error]

    @property
    def warnings(self) -> list[str]:
        return [found.value for found in self.at.warning]

    @property
    def texts(self) -> list[str]:
        return [found.value for found in self.at.markdown]

    @property
    def told(self) -> tuple[str, str]:
        """The sentence of the check, and what became of the sizes."""
        found = [text for text in self.texts if text.startswith(":material/verified:")]
        assert len(found) == 1, self.texts
        line = found[0].partition("\n")[0]
        check, _gap, becomes = line.removeprefix(":material/verified: ").partition(" \u2002 ")
        return check, becomes

    @property
    def check(self) -> str:
        """The sentence of the check."""
        return self.told[0]

    @property
    def tensors(self) -> str:
        """The block with both tensors as text."""
        return next(str(block.value) for block in self.at.code if "Tensor: (Sizes:" in block.value)

    @property
    def stages(self) -> list[dict[str, Any]]:
        """What every player on the page was sent."""
        sent = [json.loads(found.proto.json) for found in self._stages()]
        read = ({n: json.loads(data[n]) for n in ("options", "payload")} for data in sent)
        return [
            {**data, **one, "link": one["options"]["link"]}
            for data, one in zip(sent, read, strict=True)
        ]

    def _stages(self) -> list[Any]:
        """The players whose picture is of the settings on the page."""
        found = self._components("payload")
        return [one for one in found if not json.loads(one.proto.json)["outdated"]]

    @property
    def outdated(self) -> list[dict[str, Any]]:
        """What every player was sent whose picture is of the last valid settings."""
        sent = [json.loads(found.proto.json) for found in self._components("payload")]
        return [json.loads(data["payload"]) for data in sent if data["outdated"]]

    @property
    def links(self) -> list[Any]:
        """The links to pages below the bar, whose own lead to Home, Lessons, Practice and code."""
        return [found.proto for found in self.at.get("page_link")][4:]

    @property
    def galleries(self) -> list[dict[str, Any]]:
        """What every grid of cards on the page was sent."""
        return [json.loads(found.proto.json) for found in self._components("cards")]

    def _components(self, name: str) -> list[Any]:
        """Those that were sent something of that name."""
        found = self.at.get("bidi_component")
        return [one for one in found if name in json.loads(one.proto.json)]

    @property
    def output(self) -> list[str]:
        """The output's labels, flat, as the player will write them."""
        (stage,) = self.stages
        sent = stage["payload"]
        return output_labels(sent)

    def drawn(self) -> None:
        """There is a picture, and nothing is complained about."""
        assert self.exceptions == []
        assert self.errors == []
        assert len(self._stages()) == 1

    def refused(self, *parts: str) -> list[str]:
        """There is no picture of the settings but a sentence, and it holds these parts."""
        assert self.exceptions == []
        assert self._stages() == []
        assert self.errors, "neither a picture nor a sentence"
        for part in parts:
            assert any(part in error for error in self.errors), (part, self.errors)
        assert len(self.at.info) == 1
        return self.errors

    def answered(self) -> None:
        """Either a picture or a sentence, never an exception."""
        if self.errors:
            self.refused()
        else:
            self.drawn()


@pytest.fixture(scope="session", autouse=True)
def _installed_once() -> Iterator[None]:
    """Every AppTest reads what every installed package says of itself; it says the same each time."""
    with pytest.MonkeyPatch.context() as patch:
        once = functools.cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", once)
        yield


@pytest.fixture
def session() -> Session:
    return Session()


@pytest.fixture
def explorer() -> Callable[..., Session]:
    """Open an explorer in a session of its own: ``explorer("tile", sizes="2, 3")``."""

    def opened(page: str, **query: str) -> Session:
        return Session().open(page, **query)

    return opened


@pytest.fixture(params=EXPLORERS)
def each(request: pytest.FixtureRequest) -> Session:
    """Each explorer in turn, in its first state."""
    return Session().open(request.param)


@pytest.fixture(params=sorted(HOSTILE))
def hostile(request: pytest.FixtureRequest) -> str:
    """Text that would be a picture, a formula, colour or a script if it were taken as such."""
    return HOSTILE[request.param]
