/**
 * Which repetitions are remeasured: those in which requests left late, or other programs had the processors. Neither
 * says anything about what is measured, and a lost repetition makes a result weaker. The decision looks at when
 * requests left and who had the host, never at round-trip times: choosing by those would be choosing the result.
 */
import type { Cell } from '@topo-bench/core/schema/result';
import { isDisturbed } from '@topo-bench/results';

/** Of one repetition: what is late three times is late for a reason of its own. */
const maxDiscarded = 2;

/**
 * @param entries last measurement of every repetition so far, in the order measured: the earlier one goes first
 * @param maxOfRun measurements that may be discarded in the whole run
 */
export function disturbedEntries(entries: readonly Cell[], maxOfRun: number): ReadonlySet<Cell> {
  const left = entries.reduce((rest, { discarded = [] }) => rest - discarded.length, maxOfRun);
  const may = ({ validity, discarded = [] }: Cell): boolean => isDisturbed(validity) && discarded.length < maxDiscarded;
  // An invalid repetition is lost otherwise; one under foreign load still counts.
  const candidates = [...entries.filter(may)].sort((a, b) => Number(a.validity.valid) - Number(b.validity.valid));
  return new Set(candidates.slice(0, Math.max(0, left)));
}

/**
 * @param repetitions of the whole run, over all cells
 * @param share of them, 0 to 1
 */
export function maxRemeasured(repetitions: number, share: number): number {
  return Math.ceil(repetitions * share);
}
