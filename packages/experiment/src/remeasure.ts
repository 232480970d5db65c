/**
 * Selects repetitions to remeasure: requests left late, or other programs used the processors. Neither is a property of
 * the system under test, and a lost repetition weakens the result. The selection never reads round-trip times: that
 * would select the result.
 */
import type { Cell } from '@topo-bench/core/schema/result';
import { isDisturbed } from '@topo-bench/results';

/** Max remeasurements of one repetition. Three late measurements have a cause in the cell itself. */
const maxDiscarded = 2;

/**
 * @param entries last measurement of every repetition so far, in the order measured: the earlier one goes first
 * @param maxOfRun measurements that may be discarded in the whole run
 */
export function disturbedEntries(entries: readonly Cell[], maxOfRun: number): ReadonlySet<Cell> {
  const left = entries.reduce((rest, { discarded = [] }) => rest - discarded.length, maxOfRun);
  const may = ({ validity, discarded = [] }: Cell): boolean => isDisturbed(validity) && discarded.length < maxDiscarded;
  // Invalid repetitions go first: without a remeasurement they are lost. Repetitions under foreign load still count.
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
