/** The condition of `--find-max`: a statistic of a time and its bound, such as `p95<50ms` or `rtt.p99<10ms`. */
import { parseDurationUs, TopoBenchError } from '@topo-bench/core';
import type { Cell, Summary } from '@topo-bench/core/schema/result';

export interface Condition {
  text: string;
  of: 'responseTime' | 'rtt';
  statistic: keyof Summary;
  boundUs: number;
}

const statistics: Readonly<Record<string, keyof Summary>> = {
  p25: 'q1Us',
  p50: 'medianUs',
  median: 'medianUs',
  p75: 'q3Us',
  p95: 'p95Us',
  p99: 'p99Us',
  'p99.9': 'p999Us',
  p999: 'p999Us',
  max: 'maxUs',
  mean: 'meanUs',
};
const form = /^(?:(responseTime|rtt)\.)?([a-z0-9.]+)\s*<\s*(\S+)$/;

/** @throws TopoBenchError `TB_LOAD_CONDITION`, or `TB_UNIT_INVALID` for the bound */
export function parseCondition(text: string): Condition {
  const [, of = 'responseTime', name = '', bound = ''] = form.exec(text.trim()) ?? [];
  const statistic = statistics[name];
  if (statistic === undefined) {
    throw new TopoBenchError('TB_LOAD_CONDITION', `${JSON.stringify(text)} is not a condition such as p95<50ms`, {
      hint: `statistics: ${Object.keys(statistics).join(', ')}, of responseTime (default) or rtt: rtt.p99<10ms`,
    });
  }
  return { text: text.trim(), of: of as Condition['of'], statistic, boundUs: parseDurationUs(bound) };
}

/** The measured value that the condition limits, in µs. */
export function conditionValueUs({ of, statistic }: Condition, cell: Pick<Cell, 'rtt' | 'responseTime'>): number {
  return cell[of][statistic];
}

/** NaN (no answered request) does not meet a condition. */
export function meets(condition: Condition, cell: Pick<Cell, 'rtt' | 'responseTime'>): boolean {
  return conditionValueUs(condition, cell) < condition.boundUs;
}
