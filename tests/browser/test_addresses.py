"""The address in a real browser: what the player keeps there, reload, back, share, embed."""

from __future__ import annotations

from urllib.parse import parse_qs, unquote, urlsplit

from dmlviz.app.network import for_others
from dmlviz.teaching.presets import presets_of
from tests.browser.test_app import fill


def words(window):
    """The address's words, once the player has had the time to write its own."""
    window.rested().let_pass(600)
    return {name: texts[-1] for name, texts in parse_qs(urlsplit(window.page.url).query).items()}


def looks(window):
    return window.js("player => [player.color, player.view, player.t, player.pins.pins]")


def test_pin_step_and_colour_survive_a_reload_and_a_change(visit):
    window = visit("tile").seek(2)
    assert words(window) == {"step": "2"}
    window.choose("color", "channel")
    window.js("player => player.pins.toggle({ side: 'output', element: 12 })")
    kept = {"colors": "channel", "step": "2", "pinned": "0,0,1,3"}
    assert words(window) == kept
    assert "pinned=0,0,1,3" in unquote(window.page.url)
    window.page.reload()
    window.ready()
    assert looks(window) == ["channel", "steps", 2, [12]]
    assert words(window) == kept
    # another operation: Streamlit writes the address, the player puts its words back
    fill(window, "[3]", "4")
    del kept["pinned"]  # the output has other sizes
    assert words(window) == {"repeats": "1,1,3,4", **kept}
    assert looks(window) == ["channel", "steps", 2, []]
    window.page.go_back()
    window.page.wait_for_function(
        "document.querySelector('.dmlviz-player').dmlviz.payload.output.tensors[0].sizes[3] === 9"
    )
    assert words(window) == {**kept, "pinned": "0,0,1,3"}
    assert looks(window) == ["channel", "steps", 2, [12]]


def test_back_to_the_beginning_and_return_from_another_page(visit):
    window = visit("tile")
    fill(window, "[3]", "1")
    assert words(window) == {"repeats": "1,1,3,1"}
    # a page that was not visited yet opens with its first example
    window.go("Padding")
    first = presets_of("padding")[0]
    assert words(window) == first.state.parameters()
    window.go("Tile")
    assert words(window) == {"repeats": "1,1,3,1"}
    window = visit("tile")
    fill(window, "[3]", "1")
    window.page.go_back()
    window.page.wait_for_function(
        "document.querySelector('.dmlviz-player').dmlviz.payload.output.tensors[0].sizes[3] === 9"
    )
    assert words(window) == {}


def test_one_run_for_a_change_and_none_for_the_player(visit):
    window = visit("tile")
    before = window.runs
    fill(window, "[3]", "2")
    assert words(window) == {"repeats": "1,1,3,2"}
    assert window.runs == before + 1
    window.seek(1)
    window.choose("view", "all")
    assert words(window) == {"repeats": "1,1,3,2", "moves": "all"}
    assert window.runs == before + 1


def test_share(visit):
    window = visit("depth-to-space?compare=true&b_order=COLUMN_ROW_DEPTH&step=1&colors=position")
    assert window.js("player => [player.color, player.t]") == ["position", 1]
    window.press("last")
    window.press("share")
    dialog = window.page.get_by_role("dialog")
    address = dialog.locator("code.language-plaintext").inner_text().replace("\n", "")
    embed = dialog.locator("code.language-html").inner_text()
    assert address.startswith(for_others(f"{window.server}/depth-to-space?compare=true&"))
    assert words(window) == {
        name: texts[-1] for name, texts in parse_qs(urlsplit(address).query).items()
    }
    assert "step=4" in address
    assert embed.startswith(f'<iframe src="{address.split("?")[0]}?')
    assert dialog.locator("img").evaluate("image => image.decode().then(() => image.naturalWidth)")
    window.page.keyboard.press("Escape")
    window.rested()
    assert dialog.count() == 0


def test_embedded(visit):
    window = visit("padding?embed=true&values=example-2&step=1&colors=position")
    assert looks(window) == ["position", "steps", 1, []]
    window.press("forward")
    window.until("t === 2")
    assert words(window) == {
        "embed": "true",
        "values": "example-2",
        "step": "2",
        "colors": "position",
    }
    assert window.page.locator(".dmlviz-bar:visible").count() == 1
    for gone in ("stSidebar", "stPageLink", "stHeading", "stExpander", "stAlert"):
        assert window.page.get_by_test_id(gone).count() == 0, gone
    assert window.page.locator(".dmlviz-share").count() == 0
