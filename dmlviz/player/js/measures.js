// @ts-check
/** Sizes that the player and exported pictures share. Python reads the lines between the braces. */
export const MEASURES = {
  "left": 28,
  "right": 4,
  "most": 58,
  "readable": 9,
  "largest": 64,
  "share": 0.46,
  "digit": 0.6,
  "letters": 4,
  "perLetter": 0.16,
  "widest": 1.7,
  "larger": 1.1
};
