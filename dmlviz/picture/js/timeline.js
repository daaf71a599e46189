// @ts-check
/** Time on the stage: t runs from 0 (nothing has moved) to the number of steps (all landed). */

export const MOVE_MS = 800;
export const REST_MS = 450;

/**
 * The step under way and how much of it is done.
 * @param {number} t
 * @param {number} steps
 * @returns {{step: number, fraction: number}}
 */
export function momentAt(t, steps) {
  const clamped = Math.min(steps, Math.max(0, t));
  const step = Math.floor(clamped);
  return { step, fraction: clamped - step };
}

/**
 * Slow, fast, slow.
 * @param {number} f from 0 to 1
 * @returns {number}
 */
export function ease(f) {
  return f < 0.5 ? 4 * f * f * f : 1 - (-2 * f + 2) ** 3 / 2;
}

/**
 * The rest before t, or the one before that where t is at rest.
 * @param {number} t
 * @returns {number}
 */
export function stepBack(t) {
  return Math.max(0, Math.ceil(t) - 1);
}

/**
 * The rest behind t.
 * @param {number} t
 * @param {number} steps
 * @returns {number}
 */
export function stepForward(t, steps) {
  return Math.min(steps, Math.floor(t) + 1);
}

/**
 * Where playing from t has come to after some time, resting after every step.
 * @param {number} from the t that playing began at
 * @param {number} elapsed milliseconds of playing at normal speed
 * @param {number} steps
 * @returns {number}
 */
export function playFrom(from, elapsed, steps) {
  let t = from;
  let left = elapsed;
  while (t < steps) {
    const rest = Math.floor(t) + 1 - t;
    const need = rest * MOVE_MS;
    if (left < need) return t + left / MOVE_MS;
    left -= need;
    t = Math.floor(t) + 1;
    if (left < REST_MS) return t;
    left -= REST_MS;
  }
  return steps;
}
