/** Places of knees below the axis of a text chart, one line of text for each: `^--^ knee of sidecar`. */

export interface KneeMark {
  /** Columns of the levels between which the knee lies. */
  from: number;
  to: number;
  name: string;
  /** Stands for the line where its name does not fit. */
  mark: string;
}

/** @param width in characters */
export function kneeLines(knees: readonly KneeMark[], width: number): string[] {
  return knees.map((knee) => kneeLine(knee, width));
}

/** The name stands on the right, or on the left if it fits there only. */
function kneeLine({ from, to, name, mark }: KneeMark, width: number): string {
  const span = to > from ? `^${'-'.repeat(to - from - 1)}^` : '^';
  for (const text of [name === '' ? 'knee' : `knee of ${name}`, `knee of ${mark}`]) {
    if (to + 2 + text.length <= width) return `${' '.repeat(from)}${span} ${text}`;
    if (text.length + 1 <= from) return `${`${text} `.padStart(from)}${span}`;
  }
  return `${' '.repeat(from)}${span}`;
}
