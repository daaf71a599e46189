"""The widget's JavaScript in a page that does what a notebook does: models, views, a kernel.

JupyterLab itself takes too long for every run. The kernel of this page answers when it is told to.
"""

from __future__ import annotations

import base64
import gzip

import numpy as np
import pytest

import dmlviz
from tests.browser.waiting import wait_for_function

pytest.importorskip("anywidget", reason="pip install -r requirements-dev.txt")

HOST = "http://notebook.test"
SYNCED = ("step", "playing", "pinned", "selected", "_payload", "_version", "_loading", "_key")
SYNCED += ("settings", "problem", "_form")  # of an explorer
PAGE = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<body style="background: #ffffff"><div id="a"></div><div id="b"></div><div id="c"></div><div id="d"></div>
<script type="module">
const unpacked = (text) => new DataView(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
window.Plotly = "of the notebook";
window.asked = [];
window.saved = 0;
class Model {
  constructor(name, state) { this.name = name; this.state = state; this.heard = new Map(); }
  get(trait) { return this.state[trait]; }
  set(trait, value) { this.state[trait] = value; this.emit(`change:${trait}`); }
  save_changes() { window.saved += 1; }
  send(content) { window.asked.push(`${this.name} ${JSON.stringify(content)}`); }
  on(name, heard) { this.heard.set(name, [...(this.heard.get(name) ?? []), heard]); }
  off(name, heard) { this.heard.set(name, this.heard.get(name).filter((one) => one !== heard)); }
  emit(name, ...told) { for (const heard of this.heard.get(name) ?? []) heard(...told); }
}
window.models = {};
window.opened = async (place, name, states, esm, css) => {
  const model = (window.models[name] ??= new Model(name, states));
  const { default: { render } } = await import(URL.createObjectURL(new Blob([esm], { type: "text/javascript" })));
  // some notebooks have a shadow tree
  const root = document.getElementById(place).attachShadow({ mode: "open" });
  const style = Object.assign(document.createElement("style"), { textContent: css });
  const el = document.createElement("div");
  root.replaceChildren(style, el);
  const view = { el, close: await render({ model, el }) };
  Object.defineProperty(view, "player", { get: () => el.querySelector(".dmlviz-player")?.dmlviz });
  window[place] = view;
};
window.answer = (name, text) => window.models[name].emit("msg:custom", { player: "x" }, [unpacked(text)]);
window.ready = true;
</script>"""


def test_the_traits_of_a_widget_both_ways(visit):
    from dmlviz.notebook.movement import MovementWidget, module

    x = np.arange(1, 7, dtype=np.float32).reshape(1, 1, 2, 3)
    tiled = dmlviz.run(dmlviz.Tile((1, 1, 3, 3)), x)
    window = visit(None, server=HOST)
    page = window.page
    page.route(f"{HOST}/", lambda route: route.fulfill(content_type="text/html", body=PAGE))
    page.goto(f"{HOST}/")
    wait_for_function(page, "window.ready")

    def opened(place, name, widget):
        state = {key: value for key, value in widget.get_state().items() if key in SYNCED}
        told = [place, name, state, MovementWidget._esm, MovementWidget._css]
        page.evaluate("told => window.opened(...told)", told)

    def both(place, name):
        return page.evaluate(
            "([place, name]) => { const { clock, pins } = window[place].player;"
            " const { step, playing, pinned, selected } = window.models[name].state;"
            " return [[clock.t, clock.playing, pins.pins, pins.selected], [step, playing, pinned, selected]]; }",
            [place, name],
        )

    first = dmlviz.widget(tiled, step=1)
    opened("a", "gone", dmlviz.widget(tiled))
    opened("b", "w", first)
    opened("c", "w", first)
    # one asks for all; when it is closed before the kernel answers, another one asks
    assert page.evaluate("window.asked") == ['gone {"ask":"player"}']
    page.evaluate("a.close()")
    wait_for_function(page, "window.asked.length === 2")
    assert page.evaluate("window.asked[1]") == 'w {"ask":"player"}'
    assert "Waiting for Python." in page.locator("#b .dmlviz-wait").inner_text()
    packed = base64.b64encode(gzip.compress(module().encode(), 1)).decode()
    page.evaluate("text => window.answer('w', text)", packed)
    for place in "bc":
        wait_for_function(page, f"window.{place}.player?.root.dataset.ready")
    assert page.evaluate("window.Plotly") == "of the notebook"
    assert len(page.evaluate("window.asked")) == 2
    assert both("b", "w") == [[1, False, [], None], [1, False, [], None]]

    # from Python to every view
    for trait, value in (("step", 3), ("pinned", [4, 22]), ("selected", 30)):
        page.evaluate("([trait, value]) => models.w.set(trait, value)", [trait, value])
    for place in "bc":
        assert both(place, "w")[0] == [3, False, [4, 22], 30]
        assert page.locator(f"#{place} .dmlviz-pin").count() == 2
        assert (
            page.locator(f"#{place} .dmlviz-tip").inner_text()
            == "out[0, 0, 3, 3] = in[0, 0, 1, 0] = 4"
        )

    # from one view to Python and to the other view
    page.locator("#b .dmlviz-stage").focus()
    for key in ("Escape", "Enter", "ArrowRight", "Home"):
        page.keyboard.press(key)
    wait_for_function(page, "models.w.state.selected === 1 && models.w.state.step === 0")
    assert both("c", "w") == [[0, False, [1], 1], [0, False, [1], 1]]
    page.keyboard.press(" ")
    wait_for_function(page, "models.w.state.playing && models.w.state.step === 1")
    # only one of them plays; the other follows step by step
    assert both("c", "w")[0][:2] == [1, False]
    page.evaluate("models.w.set('playing', false)")
    wait_for_function(page, "!b.player.clock.playing && !models.w.state.playing")

    # another run in the same place, and another theme
    first.show(dmlviz.run(dmlviz.Tile((1, 1, 1, 2)), x))
    page.evaluate("payload => models.w.set('_payload', payload)", first._payload)
    wait_for_function(page, "b.player.payload.output.tensors[0].sizes[3] === 6")
    wait_for_function(page, "models.w.state.pinned.length === 0")
    assert page.evaluate("b.player.root.dataset.theme") == "light"
    page.evaluate("document.body.style.background = 'rgb(24 24 24)'")
    wait_for_function(page, "b.player.root.dataset.theme === 'dark'")

    # a closed view hears nothing and leaves nothing
    page.evaluate("b.close()")
    page.evaluate("c.close()")
    assert page.evaluate("[...models.w.heard.values()].flat()") == []
    assert page.evaluate("b.el.children.length + c.el.children.length") == 0

    # an explorer's form sets what Python reads, and shows what Python sets
    explorer = dmlviz.explore(dmlviz.Padding, x)
    opened("d", "e", explorer)
    form = page.locator("#d .dmlviz-settings")
    wait_for_function(page, "d.player?.root.dataset.ready")
    page.evaluate("saved = 0")
    form.get_by_label("EndPadding [3]").press("ArrowRight")
    form.get_by_label("PaddingMode").select_option("EDGE")
    said = page.evaluate("models.e.state.settings")
    assert said == {**explorer.settings, "padding_mode": "EDGE", "end_padding": "0,0,3,5"}
    assert page.evaluate("saved") == 2
    explorer.settings = said
    explorer.problem = "Why it is refused."
    for trait in ("settings", "_form", "problem", "_payload"):
        page.evaluate("told => models.e.set(...told)", [trait, getattr(explorer, trait)])
    wait_for_function(page, "d.player.payload.output.tensors[0].sizes[3] === 10")
    assert not form.get_by_text("PaddingValue").is_visible()
    assert form.locator(".dmlviz-slider").all_inner_texts() == [*"00120035"]
    refusal = page.locator("#d .dmlviz-settings + .dmlviz-problem")
    assert refusal.inner_text() == "Why it is refused."
    assert refusal.get_attribute("role") == "status"
    page.evaluate("d.close()")
    assert page.evaluate("[...models.e.heard.values()].flat().length + d.el.children.length") == 0
