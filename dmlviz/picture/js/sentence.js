// @ts-check
/** Sentences that Python sends with placeholders in them. */

/**
 * A sentence with its placeholders filled in.
 * @param {string} sentence
 * @param {Record<string, string | number>} parts
 * @returns {string}
 */
export function fillIn(sentence, parts) {
  return sentence.replace(/\{(\w+)\}/g, (hole, name) => String(parts[name] ?? hole));
}
