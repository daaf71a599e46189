// @ts-check
/** What Python sends of a page that has a form: its rows from dmlviz/states/controls.py, the rest from dmlviz/live/page.py. */

/**
 * @typedef {object} Control  one control of a row
 * @property {"menu" | "switch" | "text" | "lines" | "number" | "slider" | "grid" | "file"} kind
 * @property {(string | number)[]} [options]  of a menu
 * @property {string[]} [titles]  what people read for the options
 * @property {boolean} [accepts_more]  whether a menu takes a text that it does not offer, too
 * @property {number} [least]
 * @property {number} [most]
 * @property {number} [step]
 * @property {number} [most_characters]  of a text or of lines
 * @property {number[]} [sizes]  of the tensor in a grid
 */

/**
 * @typedef {object} Row  what sets one parameter
 * @property {string} name
 * @property {string} label
 * @property {string} help
 * @property {Control[]} controls
 * @property {boolean} ranked  whether it has a control for each dimension
 * @property {string[]} values  the texts of its controls; of a grid, of its elements
 * @property {string} problem  why its text is refused; empty if it is not
 * @property {boolean} [leads]  whether other rows follow a change of it
 * @property {string} [unavailable]  why it has no effect now
 */

/**
 * @typedef {object} Group  rows below a heading
 * @property {string} title
 * @property {Row[]} fields
 */

/**
 * @typedef {object} Page  what a page shows of a state
 * @property {string} link
 * @property {Group[]} groups
 * @property {[string, string][]} refused  parameters and texts that are no part of the state
 * @property {string[]} notes
 * @property {string[]} problems
 * @property {string} unaddressed  why no address holds the state; empty if one does
 * @property {string} left_out  what an address leaves out
 * @property {string} place  the line of code that is refused, marked
 * @property {string} question
 * @property {string} answer
 * @property {import("./wall_stage.js").WallContent} wall
 * @property {import("./data.js").Payload | null} picture  null if the state is refused
 * @property {import("./address.js").Look} look
 * @property {string} program
 * @property {string} check
 * @property {string} settings
 * @property {import("./guess.js").Asked | null} predict
 */

export {};
