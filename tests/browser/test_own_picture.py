"""A learner's own picture, in the browser: pasted, upright, tinted, and composed beside the stage."""

from base64 import b64encode
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

SENT = """(zone, [data, way, type]) => {
    const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
    const sent = new DataTransfer();
    sent.items.add(new File([bytes], "me", { type }));
    if (way === "paste") {
        document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: sent, bubbles: true }));
    } else if (way === "drop") {
        zone.dispatchEvent(new DragEvent("drop", { dataTransfer: sent, bubbles: true }));
    } else {
        const input = zone.querySelector("input");
        input.files = sent.files;
        input.dispatchEvent(new Event("change"));
    }
}"""
PASTE = """data => {
    const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
    const pasted = new DataTransfer();
    pasted.items.add(new File([bytes], "me.png", { type: "image/png" }));
    document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: pasted, bubbles: true }));
}"""
COMPOSED = """player => player.composed.shown.map(({ canvas: { width, height }, canvas }) =>
    [width, height, [...canvas.getContext("2d").getImageData(0, 0, 1, 1).data]])"""


def test_a_pasted_picture_is_upright_and_composed(visit):
    window = visit(None, fresh=True)
    page = window.page
    page.goto(f"{window.server}/tile?values=picture&repeats=1,1,1,2")
    window.ready()
    page.locator(".st-key-tile_picture input").click()
    page.get_by_text("My own picture").last.click()
    page.locator(".dmlviz-own-picture").wait_for()
    # a red row over a blue one, lying on its side as a camera writes it
    upright = np.repeat(np.array([[[255, 0, 0]], [[0, 0, 255]]], np.uint8), 4, axis=1)
    exif = Image.Exif()
    exif[274] = 6
    file = BytesIO()
    Image.fromarray(np.rot90(upright).copy()).save(file, "PNG", exif=exif)
    page.evaluate(PASTE, b64encode(file.getvalue()).decode())
    page.locator(".st-key-own_picture_use button").click()
    page.wait_for_function("location.search.includes('picture=own')")
    page.wait_for_selector(".dmlviz-composed canvas >> nth=1")
    window.ready()
    assert window.js("player => player.color") == "planes"
    red, clear = [255, 0, 0, 255], [0, 0, 0, 0]
    assert window.js(COMPOSED) == [[48, 24, red], [96, 24, clear]]
    window.seek(window.js("player => player.steps"))
    assert window.js(COMPOSED) == [[48, 24, red], [96, 24, red]]
    titles = "player => player.payload.figure.data.find(({ name }) => name === 'title').text"
    assert [text[0] for text in window.js(titles)] == ["R", "G", "B"]
    # before a class too, where the answer waits
    page.locator(".dmlviz-bar button", has_text="Present").click()
    page.locator(".dmlviz-wall .dmlviz-composed canvas").nth(1).wait_for()
    assert page.locator(".dmlviz-wall-runs").inner_text() == "Tile · Repeats {1, 1, 1, 2}"
    page.keyboard.press("r")
    page.locator(".dmlviz-composed canvas").nth(1).wait_for(state="hidden")
    assert page.locator(".dmlviz-composed canvas").first.is_visible()
    assert window.problems == []


@pytest.mark.parametrize(
    ("kind", "way"),
    [
        ("JPEG", "choose"),
        ("WEBP", "drop"),
        ("JPEG", "paste"),
        pytest.param("WEBP", "choose", marks=pytest.mark.thorough),
        pytest.param("JPEG", "drop", marks=pytest.mark.thorough),
        pytest.param("WEBP", "paste", marks=pytest.mark.thorough),
    ],
)
def test_the_browser_sends_any_picture_as_a_png(visit, kind, way):
    window = visit(None, fresh=True)
    page = window.page
    page.goto(f"{window.server}/tile?values=picture&repeats=1,1,1,2")
    window.ready()
    page.locator(".st-key-tile_picture input").click()
    page.get_by_text("My own picture").last.click()
    page.locator(".dmlviz-own-picture").wait_for()
    file = BytesIO()
    Image.new("RGB", (16, 8), (200, 100, 50)).save(file, kind)
    given = [b64encode(file.getvalue()).decode(), way, f"image/{kind.lower()}"]
    page.locator(".dmlviz-own-picture").evaluate(SENT, given)
    page.locator(".st-key-own_picture_use button").click()
    page.wait_for_function("location.search.includes('picture=own')")
    window.ready()
    assert window.problems == []
    assert page.locator(".st-key-tile_picture input").input_value() == "My own picture"
