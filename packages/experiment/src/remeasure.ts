/**
 * Which repetitions are measured again. A stall of the host that makes requests leave late says nothing about what is measured, but
 * costs the repetition, and with fewer repetitions than planned a result tells less. Nor do other programs that had the processors. What decides is
 * when requests left and who had the host, not what the requests met: to choose by round-trip times would be to choose the result.
 */
import type { Cell } from '@topo-bench/core/schema/result';
import { isDisturbed } from '@topo-bench/results';

/** Of one repetition, so many measurements are discarded at most: what is late three times is late for a reason of its own. */
const mostDiscarded = 2;

/**
 * @param entries last measurement of every repetition so far, in the order measured: the earlier one goes first
 * @param most measurements that may be discarded in the whole run
 */
export function measuredAgain(entries: readonly Cell[], most: number): ReadonlySet<Cell> {
  const left = entries.reduce((rest, { discarded = [] }) => rest - discarded.length, most);
  const may = ({ validity, discarded = [] }: Cell): boolean => isDisturbed(validity) && discarded.length < mostDiscarded;
  // An invalid repetition is lost otherwise; one under foreign load still counts.
  const candidates = [...entries.filter(may)].sort((a, b) => Number(a.validity.valid) - Number(b.validity.valid));
  return new Set(candidates.slice(0, Math.max(0, left)));
}

/**
 * @param repetitions of the whole run, over all cells
 * @param share of them, 0 to 1
 */
export function mostMeasuredAgain(repetitions: number, share: number): number {
  return Math.ceil(repetitions * share);
}
