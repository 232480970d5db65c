/**
 * Late requests of a search. Each request left later than intended by its lag, so a quantile or mean is off by the
 * largest lag at most. A condition that holds with this lag added holds whatever the lag did.
 */
import type { Cell } from '@topo-bench/core/schema/result';
import { type Condition, conditionValueUs } from '../condition.ts';
import { withoutLag } from '../lag-limit.ts';

/**
 * The cell without the reason of its lag, and with the flag `late` in its place, where the lag could not have moved a
 * condition that holds. Any other cell is unchanged.
 */
export function withHarmlessLag(condition: Condition, cell: Cell): Cell {
  const { validity, schedulerLag } = cell;
  const worstUs = conditionValueUs(condition, cell) + schedulerLag.maxUs;
  const judged = withoutLag(validity, schedulerLag);
  if (validity.valid || !judged.valid || !(worstUs < condition.boundUs)) return cell;
  return { ...cell, validity: { ...judged, flags: [...judged.flags, 'late'] } };
}
