/** Thresholds on one load: the grammar of `gate`, without those that are relative to a baseline. */
import { forbidsAbove, formatValue, holds, parseThreshold, type Threshold } from '@topo-bench/comparison';
import { counted, TopoBenchError } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';

export interface LoadThreshold {
  /** As the user wrote it. */
  text: string;
  metric: string;
  /** With its unit; a dash without data. */
  value: string;
  /** False without data: nothing shows that the threshold holds. Null where too few requests have decided it. */
  passed: boolean | null;
  /** Present where `passed` is null. */
  reason?: string;
}

/** What a client sees. All others are figures of roles and rules, which the server of a load does not report. */
const ofLoads =
  /^(responseTime|rtt|serviceTime|schedulerLag|resources\.(host|generator))\.|^(errors|unfinished)\.rate$|^achievedRps$/;

/** @throws TopoBenchError as `parseThreshold`, and `TB_USAGE` for a relative one or a figure that a load has not */
export function parseThresholds(texts: readonly string[]): Threshold[] {
  const thresholds = texts.map((text) => parseThreshold(text));
  const foreign = thresholds.find(({ metric }) => !ofLoads.test(metric.name));
  if (foreign) {
    const message = `--threshold ${JSON.stringify(foreign.text)}: a load does not measure ${foreign.metric.name}`;
    const hint = 'name a time such as responseTime.p95 or rtt.median, errors.rate, unfinished.rate or achievedRps';
    throw new TopoBenchError('TB_USAGE', message, { hint });
  }
  const relative = thresholds.find(({ kind }) => kind === 'relative');
  if (!relative) return thresholds;
  throw new TopoBenchError('TB_USAGE', `--threshold ${JSON.stringify(relative.text)}: got a change, expected a bound`, {
    hint: 'a load has no baseline; write e.g. `responseTime.p95 < 50ms`, or compare two builds with topo-bench gate',
  });
}

/**
 * The share of errors from which on a load is invalid, in place of none. Thresholds on `errors.rate` decide in its
 * place: any share is then valid. A search has to compare its rates, so it takes their bound.
 * @returns 0…1; undefined without such a threshold
 */
export function errorShareAllowed(thresholds: readonly Threshold[], searches: boolean): number | undefined {
  const ofErrors = thresholds.filter(({ metric }) => metric.name === 'errors.rate');
  if (ofErrors.length === 0) return undefined;
  return searches ? Math.min(1, ...ofErrors.filter(forbidsAbove).map(({ limit }) => limit)) : 1;
}

export function checkThresholds(thresholds: readonly Threshold[], cell: Cell): LoadThreshold[] {
  return thresholds.map((threshold) => {
    const { text, metric } = threshold;
    const value = metric.read(cell) ?? Number.NaN;
    const measured = { text, metric: metric.name, value: formatValue(value, metric.unit) };
    const { count, min } = metric.requests?.(cell) ?? { count: 0, min: 0 };
    if (count >= min) return { ...measured, passed: holds(threshold, value) };
    return { ...measured, passed: null, reason: `${counted(count, 'request')}, and ${metric.name} needs ${min}` };
  });
}
