/** A decision page has one screen: context, decision, consequences. Tables of figures are in `docs/measurements/`. */
import type { Finding } from './lines.ts';

const maxLines = 60;

export function lengthFinding(text: string): Finding[] {
  const lines = text.trimEnd().split('\n').length;
  return lines > maxLines ? [{ line: maxLines + 1, problem: `${lines} lines, expected at most ${maxLines}` }] : [];
}
