/** The condition of `--find-max`: a statistic of a time and its bound, such as `p95<50ms` or `rtt.p99<10ms`. */
import { formatUs, isSteady, parseDurationUs, predictionSentence, TopoBenchError } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { type Condition, conditionName, conditionValueUs } from '../condition.ts';

const statistics: Readonly<Record<string, Condition['statistic']>> = {
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

/** @throws TopoBenchError `TB_LOAD_CONDITION`, or `TB_UNIT_INVALID` for the bound; both name the flag */
export function parseCondition(text: string): Condition {
  const flag = `--find-max ${JSON.stringify(text)}`;
  const [, of = 'responseTime', name = '', bound = ''] = form.exec(text.trim()) ?? [];
  const statistic = statistics[name];
  if (statistic === undefined) {
    throw new TopoBenchError('TB_LOAD_CONDITION', `${flag}: expected a condition such as p95<50ms`, {
      hint: `statistics: ${Object.keys(statistics).join(', ')}, of responseTime (default) or rtt: rtt.p99<10ms`,
    });
  }
  return { text: text.trim(), of: of as Condition['of'], statistic, boundUs: boundOf(bound, flag) };
}

function boundOf(text: string, flag: string): number {
  try {
    return parseDurationUs(text);
  } catch (error) {
    if (!(error instanceof TopoBenchError)) throw error;
    const { code, message, hint } = error;
    throw new TopoBenchError(code, `${flag}: ${message}`, { cause: error, ...(hint !== undefined && { hint }) });
  }
}

/** One step of a search in words: `113 req/s: p95 62 ms fails p95<50ms`, with the reasons of an invalid load. */
export function describeProbe(condition: Condition, cell: Cell, holds: boolean): string {
  const rate = Number(cell.offeredRps.toPrecision(4));
  if (cell.prediction && !isSteady(cell))
    return `${rate} req/s: fails ${condition.text} (${predictionSentence(cell.prediction)})`;
  const value = `${conditionName(condition)} ${formatUs(conditionValueUs(condition, cell))}`;
  const reasons = cell.validity.valid ? '' : ` (${cell.validity.reasons.join('; ')})`;
  return `${rate} req/s: ${value} ${holds ? 'meets' : 'fails'} ${condition.text}${reasons}`;
}

/** Requests without an answer or with a wrong one, as a share of all, 0…1. */
export function errorShare({ outcomes: { completed, refused, error, unfinished } }: Pick<Cell, 'outcomes'>): number {
  return error / (completed + refused + error + unfinished);
}
