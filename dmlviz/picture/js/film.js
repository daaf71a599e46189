// @ts-check
/** Records the whole movement with its caption as a video while it plays. */

import { drawIcon, make, makeButton } from "./dom.js";

/**
 * What a video needs from the player.
 * @typedef {{composed: import("./composed.js").Composed, clock: import("./clock.js").Clock, painter: import("./painter.js").Painter,
 *            pins: import("./pins.js").Pins, controls: import("./controls.js").Controls,
 *            plot: HTMLElement, texts: import("./texts.js").Texts, draws: (whole: boolean) => void, drawing: any, fitted: string, options: {plotly: any}}} Stage
 */

const KINDS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];
const FRAMES_PER_SECOND = 30;
const BITS_PER_SECOND = 8_000_000;
const STILL_MS = 1000;
const MARGIN = 20;
const CAPTION = { size: 18, line: 26, lines: 3 };
const LARGEST = 1920;

/**
 * The first video format that this browser can record.
 * @param {(kind: string) => boolean} supported
 * @returns {string | undefined}
 */
export function filmKind(supported) {
  return KINDS.find(supported);
}

/**
 * A text in lines that are no wider than there is room; what does not fit ends in an ellipsis.
 * @param {string} text
 * @param {(text: string) => number} measure
 * @param {number} width
 * @param {number} most lines
 * @returns {string[]}
 */
export function linesOf(text, measure, width, most) {
  const lines = [""];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = `${lines[lines.length - 1]} ${word}`.trim();
    if (measure(longer) <= width || !lines[lines.length - 1]) lines[lines.length - 1] = longer;
    else if (lines.length < most) lines.push(word);
    else {
      lines[lines.length - 1] += " …";
      break;
    }
  }
  return lines;
}

/**
 * The button that records and stops; none if the browser cannot record.
 * @param {Record<string, string>} words
 * @param {Stage} stage
 * @returns {HTMLElement[]}
 */
export function filmButtons(words, stage) {
  const can = typeof MediaRecorder === "function" && "captureStream" in HTMLCanvasElement.prototype;
  const kind = can ? filmKind((k) => MediaRecorder.isTypeSupported(k)) : undefined;
  if (!kind) return [];
  /** @type {Film | null} */
  let film = null;
  const done = make("span", "dmlviz-film-done");
  const button = makeButton(words.film, "dmlviz-film", async () => {
    if (film) return film.end();
    film = new Film(stage, kind, (part) => { done.textContent = ` ${Math.round(part * 100)} %`; });
    name(words.film_stop, "stop");
    try {
      save(await film.record(), kind);
      name(words.film, "film");
    } catch {
      name(words.film_failed, "film");
    } finally {
      film = null;
    }
  });
  const name = (/** @type {string} */ text, /** @type {"film" | "stop"} */ icon) => {
    done.textContent = "";
    button.replaceChildren(drawIcon(icon), text, done);
    button.title = text;
    button.setAttribute("aria-label", text);
  };
  name(words.film, "film");
  return [button];
}

class Film {
  /**
   * @param {Stage} stage
   * @param {string} kind
   * @param {(part: number) => void} tell how much is done, 0 to 1
   */
  constructor(stage, kind, tell) {
    this.stage = stage;
    this.kind = kind;
    this.tell = tell;
    this.ended = false;
    this.canvas = document.createElement("canvas");
    this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    this.ground = new Image();
    this.look = stage.fitted;
  }

  /** Stop recording; the pictures so far are the video. */
  end() {
    this.ended = true;
  }

  /**
   * Play from the start to the end, at the player's speed, and record what is seen.
   * @returns {Promise<Blob>}
   */
  async record() {
    const { stage, canvas } = this;
    const { width, height } = stage.drawing;
    // the window may show less than the film does
    stage.draws(true);
    stage.clock.seek(0);
    const whole = { width: width + 2 * MARGIN, height: height + 2 * MARGIN + CAPTION.line * CAPTION.lines };
    const scale = Math.min(Math.max(1, window.devicePixelRatio), LARGEST / Math.max(whole.width, whole.height));
    const url = await stage.options.plotly.toImage(stage.plot, { format: "png", width, height, scale });
    Object.assign(this.ground, { src: url });
    await this.ground.decode();
    // video encoders accept only even sizes
    canvas.width = 2 * Math.round((whole.width * scale) / 2);
    canvas.height = 2 * Math.round((whole.height * scale) / 2);
    this.context.scale(scale, scale);
    this.draw(whole);
    const stream = canvas.captureStream(FRAMES_PER_SECOND);
    const recorder = new MediaRecorder(stream, { mimeType: this.kind, videoBitsPerSecond: BITS_PER_SECOND });
    /** @type {Blob[]} */
    const parts = [];
    const whenDone = new Promise((resolve, reject) => {
      recorder.ondataavailable = (event) => parts.push(event.data);
      recorder.onstop = resolve;
      recorder.onerror = reject;
    });
    recorder.start();
    await this.play(whole);
    recorder.stop();
    await whenDone;
    stage.draws(false);
    for (const track of stream.getTracks()) track.stop();
    return new Blob(parts, { type: this.kind });
  }

  /**
   * The movement between two rests; resolves when it is over, stopped, hidden, or looks different.
   * @param {{width: number, height: number}} whole
   * @returns {Promise<void>}
   */
  play(whole) {
    const { clock } = this.stage;
    const still = STILL_MS / clock.speed;
    const began = performance.now();
    let moving = false;
    let over = 0;
    return new Promise((resolve) => {
      const hidden = () => { if (document.hidden) finish(); };
      const finish = () => {
        document.removeEventListener("visibilitychange", hidden);
        if (clock.t < clock.steps && clock.playing) clock.toggle();
        resolve();
      };
      const frame = () => {
        const now = performance.now();
        const stopped = moving && !clock.playing && clock.t < clock.steps;
        if (this.ended || stopped || this.stage.fitted !== this.look) return finish();
        if (!moving && now - began >= still) {
          moving = true;
          clock.play(0, clock.steps);
        }
        if (moving && clock.t >= clock.steps) over ||= now;
        if (over && now - over >= still) return finish();
        this.draw(whole);
        this.tell(clock.t / clock.steps);
        requestAnimationFrame(frame);
      };
      // a hidden page gets no animation frames
      document.addEventListener("visibilitychange", hidden);
      frame();
    });
  }

  /**
   * What is seen now.
   * @param {{width: number, height: number}} whole
   */
  draw(whole) {
    const { context: g, stage } = this;
    const { width, height, palette, font } = stage.drawing;
    g.fillStyle = palette.paper;
    g.fillRect(0, 0, whole.width + 2, whole.height + 2);
    const { texts, painter, pins } = stage;
    for (const layer of [this.ground, texts.layer.canvas, painter.ground, painter.canvas, pins.layer.canvas]) {
      if (!layer.hidden) g.drawImage(layer, MARGIN, MARGIN, width, height);
    }
    g.fillStyle = palette.ink;
    g.textBaseline = "top";
    let top = MARGIN + height + 6;
    const room = this.compose(top, MARGIN + width) - 2 * MARGIN;
    const write = (/** @type {number} */ weight, /** @type {string | null} */ text, /** @type {number} */ most) => {
      g.font = `${weight} ${CAPTION.size}px ${font}`;
      for (const line of linesOf(text ?? "", (t) => g.measureText(t).width, room, most)) {
        g.fillText(line, MARGIN, top);
        top += CAPTION.line;
      }
    };
    write(700, stage.controls.title.textContent, 1);
    write(400, stage.controls.text.textContent, CAPTION.lines - 1);
  }

  /**
   * The small pictures beside the caption, from the right, as far as they leave it half of the room.
   * @param {number} top
   * @param {number} right
   * @returns {number} where they begin
   */
  compose(top, right) {
    const { context: g, stage } = this;
    const least = right / 2;
    g.font = `400 ${CAPTION.size}px ${stage.drawing.font}`;
    g.imageSmoothingEnabled = false;
    for (const { canvas, tensor } of [...stage.composed.shown].reverse()) {
      const [wide, high] = [canvas.style.width, canvas.style.height].map(parseFloat);
      const named = g.measureText(tensor.called).width;
      if (right - wide - named - MARGIN < least) break;
      right -= wide;
      g.drawImage(canvas, right, top, wide, high);
      g.fillText(tensor.called, right - named - 8, top + (high - CAPTION.size) / 2);
      right -= named + MARGIN;
    }
    g.imageSmoothingEnabled = true;
    return right;
  }
}

/**
 * @param {Blob} film
 * @param {string} kind
 */
function save(film, kind) {
  const url = URL.createObjectURL(film);
  const link = document.createElement("a");
  Object.assign(link, { href: url, download: `movement.${kind.startsWith("video/mp4") ? "mp4" : "webm"}` });
  link.click();
  // wait until the browser has started to record
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
