/** "Did you mean …?": finds the known name with the fewest typing mistakes. */

/**
 * The nearest known name, or the only one that `unknown` abbreviates; undefined when more than a third of its letters
 * differ.
 */
export function nearestName(unknown: string, known: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let least = Math.max(1, Math.floor(unknown.length / 3)) + 1;
  for (const name of known) {
    const distance = editDistance(unknown.toLowerCase(), name.toLowerCase(), least);
    if (distance < least) [nearest, least] = [name, distance];
  }
  if (nearest !== undefined || unknown.length < 3) return nearest;
  const longer = [...known].filter((name) => name.toLowerCase().startsWith(unknown.toLowerCase()));
  return longer.length === 1 ? longer[0] : undefined;
}

/** A hint about an unknown name: the nearest name, or else all known names if they are few. */
export function suggestName(unknown: string, known: readonly string[], what = 'known'): string {
  const nearest = nearestName(unknown, known);
  if (nearest !== undefined) return `did you mean "${nearest}"?`;
  if (known.length === 0) return `${what}: none`;
  const shown = known.slice(0, 12);
  return `${what}: ${shown.join(', ')}${known.length > shown.length ? `, … (${known.length} in all)` : ''}`;
}

/**
 * Insertions, deletions, substitutions and swaps of neighbours between two texts (optimal string alignment). Stops with
 * `bound` when the lengths alone differ by that much.
 */
export function editDistance(a: string, b: string, bound = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) >= bound) return bound;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? before[j - 2]! + 1 : bound;
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, substitution, swap);
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}
