/**
 * Which repetitions are measured again. A stall of the host that makes requests leave late says nothing about what is measured, but
 * costs the repetition, and with fewer repetitions than planned a result tells less. What decides is when requests left, not what they
 * met: to choose by round-trip times would be to choose the result.
 */
import type { Cell } from '@topo-bench/core/schema/result';

/** Of one repetition, so many measurements are discarded at most: what is late three times is late for a reason of its own. */
const mostDiscarded = 2;

/**
 * @param entries last measurement of every repetition so far, in the order measured: the earlier one goes first
 * @param most measurements that may be discarded in the whole run
 */
export function measuredAgain(entries: readonly Cell[], most: number): ReadonlySet<Cell> {
  const left = entries.reduce((rest, { discarded = [] }) => rest - discarded.length, most);
  const may = ({ validity, discarded = [] }: Cell): boolean => validity.onlyLate === true && discarded.length < mostDiscarded;
  return new Set(entries.filter(may).slice(0, Math.max(0, left)));
}

/**
 * @param repetitions of the whole run, over all cells
 * @param share of them, 0 to 1
 */
export function mostMeasuredAgain(repetitions: number, share: number): number {
  return Math.ceil(repetitions * share);
}
