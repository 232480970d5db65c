/** A bound on a statistic of a time, such as `p95<50ms`: what a sustained rate must meet. */
import type { Cell, RateSearch } from '@topo-bench/core/schema/result';

export type Condition = RateSearch['condition'];

/** The measured value that the condition limits, in µs. */
export function conditionValueUs({ of, statistic }: Condition, cell: Pick<Cell, 'rtt' | 'responseTime'>): number {
  return cell[of][statistic];
}

/** NaN (no answered request) does not meet a condition. */
export function meets(condition: Condition, cell: Pick<Cell, 'rtt' | 'responseTime'>): boolean {
  return conditionValueUs(condition, cell) < condition.boundUs;
}

/** `p95<50ms` → `p95`. */
export function conditionName({ text }: Pick<Condition, 'text'>): string {
  return (text.split('<')[0] as string).trim();
}
