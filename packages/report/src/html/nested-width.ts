/** Widths of lines that can lie on each other: an earlier line is wider, and shows on both sides of a later one. */

/** In px. @param at index of the line in its panel */
export function nestedWidth(at: number, lines: number): number {
  return 1.25 + 1.5 * (lines - 1 - at);
}
