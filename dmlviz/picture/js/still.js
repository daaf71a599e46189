// @ts-check
/** A wall without a player: where the operator refuses, or there is nothing but a question. */

import { Clock } from "./clock.js";
import { make } from "./dom.js";
import { Wall } from "./wall_stage.js";
import { watchPage } from "./theme.js";

/** Pixels that a picture has at least. */
const LEAST_STILL = 80;

export class Still {
  /**
   * @param {HTMLElement} root an empty element
   * @param {import("./player.js").Options} options
   */
  constructor(root, options) {
    this.root = root;
    this.options = options;
    /** what those hear who cannot see it; the picture has words of its own */
    this.heard = "";
    this.still = true;
    this.clock = new Clock(() => this.wall?.ticked());
    this.image = document.createElement("img");
    this.image.alt = "";
    this.board = make("div", "dmlviz-board", this.image);
    this.stage = make("div", "dmlviz-stage", this.board);
        this.words = {};
    this.moves = { steps: [] };
    this.pins = { pins: [], panel: make("div", "dmlviz-pins"), hide: () => {} };
    this.controls = {
      caption: make("p", "dmlviz-caption"), title: make("strong", ""), text: make("span", ""),
      count: make("span", "dmlviz-count"), range: make("input", ""),
      ruler: make("p", "dmlviz-ruler"), longest: () => 0,
    };
    /** @type {Wall | null} */
    this.wall = null;
    const content = /** @type {import("./wall_stage.js").WallContent} */ (options.present);
    root.classList.add("dmlviz-player");
    root.replaceChildren();
    const wall = new Wall(this, content, options.ask);
    wall.build();
    this.wall = wall;
    this.unwatch = watchPage(root, () => this.redraw());
    this.show(null, null, content);
  }

  /**
   * Another question in the same place.
   * @param {unknown} _payload
   * @param {unknown} _asked
   * @param {import("./wall_stage.js").WallContent | null} [content]
   */
  show(_payload, _asked, content) {
    if (!content?.still || !this.wall) return;
    const { image, alt, scheme } = content.still;
    this.root.dataset.bare = String(!image);
    this.image.alt = alt;
    this.root.dataset.theme = scheme;
    this.wall.load(content);
  }

  /** As large as the window lets it. */
  redraw() {
    if (!this.wall) return;
    const { image, after } = this.wall.content.still ?? { image: "", after: "" };
    if (image) this.image.setAttribute("src", this.wall.hidden ? image : after);
    this.image.style.height = `${Math.max(LEAST_STILL, this.wall.fit().tall)}px`;
    this.wall.ticked();
    this.root.dataset.ready = "true";
  }

  destroy() {
    this.clock.stop();
    this.wall?.close();
    this.unwatch();
    delete this.root.dataset.bare;
    this.root.replaceChildren();
  }
}
