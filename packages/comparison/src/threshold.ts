/**
 * The grammar of thresholds: `METRIC OPERATOR VALUE`. A signed percentage is relative to the baseline (`rtt.median <
 * +5%`). Any other value is a bound on the figure in its unit (`rtt.p95 < 20ms`, `errors.rate < 0.1%`). Operators and
 * abbreviations follow k6 where possible.
 */
import { parseDurationUs, parseSizeBytes, TopoBenchError } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import type { Metric } from './metric.ts';
import { commonMetrics, type MetricTable } from './metric-table.ts';

export const operators = ['<', '<=', '>', '>='] as const;
export type Operator = (typeof operators)[number];

export interface Threshold {
  /** As the user wrote it. */
  text: string;
  metric: Metric;
  operator: Operator;
  /** `relative`: `limit` is candidate / baseline. `absolute`: `limit` is in the unit of the metric. */
  kind: 'relative' | 'absolute';
  limit: number;
}

/** `<` and `<=` forbid figures above the limit, `>` and `>=` those below it. */
export function forbidsAbove({ operator }: Pick<Threshold, 'operator'>): boolean {
  return operator.startsWith('<');
}

/** Whether a figure is within an absolute limit. */
export function holds({ operator, limit }: Pick<Threshold, 'operator' | 'limit'>, value: number): boolean {
  if (operator === '<') return value < limit;
  if (operator === '<=') return value <= limit;
  return operator === '>' ? value > limit : value >= limit;
}

/** Min difference that the thresholds name, as a share of the baseline; +∞ when none is relative. */
export function smallestDifference(thresholds: readonly Threshold[]): number {
  return Math.min(...thresholds.filter(({ kind }) => kind === 'relative').map(({ limit }) => Math.abs(limit - 1)));
}

/**
 * Parses a threshold.
 * @param cells entries whose metrics are suggested when the metric is unknown
 * @param metrics known metrics
 * @throws TopoBenchError `TB_GATE_THRESHOLD` pointing at the character, `TB_METRIC_UNKNOWN`
 */
export function parseThreshold(
  text: string,
  cells: readonly Cell[] = [],
  metrics: MetricTable = commonMetrics,
): Threshold {
  const at = text.search(/\S/);
  const name = at < 0 ? '' : (/^[^\s<>=!]+/.exec(text.slice(at))?.[0] ?? '');
  if (name === '') throw unreadable(text, Math.max(0, at), 'expected a metric such as rtt.median');
  const operatorAt = skipSpace(text, at + name.length);
  const operator = /^[<>=!]+/.exec(text.slice(operatorAt))?.[0];
  if (operator === undefined)
    throw unreadable(text, operatorAt, `expected one of ${operators.join(' ')} after the metric`);
  if (!isOperator(operator))
    throw unreadable(text, operatorAt, `expected one of ${operators.join(' ')}, got ${operator}`);
  const valueAt = skipSpace(text, operatorAt + operator.length);
  const metric = metrics.named(name, cells);
  const value = text.slice(valueAt).trim();
  if (value === '') throw unreadable(text, valueAt, `expected a value: ${exampleOf(metric)}`);
  const common = { text: text.trim(), metric, operator };
  if (/^[+−-]/.test(value)) return { ...common, kind: 'relative', limit: relativeLimit(text, valueAt, value, metric) };
  return { ...common, kind: 'absolute', limit: absoluteLimit(text, valueAt, value, metric) };
}

function relativeLimit(text: string, at: number, value: string, metric: Metric): number {
  const [, sign, digits] = /^([+−-])(\d+(?:\.\d+)?)\s*%$/.exec(value) ?? [];
  if (digits === undefined) throw unreadable(text, at, 'expected a signed percentage such as +5%');
  if (metric.scale === 'difference') {
    throw unreadable(
      text,
      at,
      `${metric.name} is often 0, percentages of it are undefined: expected ${exampleOf(metric)}`,
    );
  }
  const change = (Number(digits) / 100) * (sign === '+' ? 1 : -1);
  if (change <= -1) throw unreadable(text, at, 'expected more than -100%');
  return 1 + change;
}

function absoluteLimit(text: string, at: number, value: string, metric: Metric): number {
  const fail = (cause?: TopoBenchError): TopoBenchError =>
    unreadable(
      text,
      at,
      `${metric.name} expects ${exampleOf(metric)}${metric.scale === 'ratio' ? ' or a change such as +5%' : ''}`,
      cause,
    );
  const number = (pattern: RegExp): number => {
    const digits = pattern.exec(value)?.[1];
    if (digits === undefined) throw fail();
    return Number(digits);
  };
  try {
    switch (metric.unit) {
      case 'us':
        return parseDurationUs(value);
      case 'bytes':
        return value === '0' ? 0 : parseSizeBytes(value);
      case 'share':
        return value.endsWith('%') ? number(/^(\d+(?:\.\d+)?)\s*%$/) / 100 : shareOf(number(/^(\d+(?:\.\d+)?)$/), fail);
      case 'percent':
        return number(/^(\d+(?:\.\d+)?)\s*%$/);
      case 'rps':
        return number(/^(\d+(?:\.\d+)?)(?:\s*(?:\/s|req\/s))?$/);
      case 'MBps':
        return megabytesPerSecond(value, fail);
      case 'count':
        return number(/^(\d+(?:\.\d+)?)$/);
    }
  } catch (error) {
    throw error instanceof TopoBenchError && error.code === 'TB_UNIT_INVALID' ? fail(error) : error;
  }
}

const megabytes: Readonly<Record<string, number>> = { '': 1, MB: 1, GB: 1000, MiB: 1.048576, GiB: 1073.741824 };

/** `500`, `500 MB/s`, `1.2GB/s`. */
function megabytesPerSecond(value: string, fail: () => TopoBenchError): number {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)\s*(?:([MG]i?B)\/s)?$/.exec(value) ?? [];
  if (digits === undefined) throw fail();
  return Number(digits) * (megabytes[unit ?? ''] as number);
}

function shareOf(value: number, fail: () => TopoBenchError): number {
  if (value > 1) throw fail();
  return value;
}

function exampleOf({ unit }: Metric): string {
  const examples = {
    us: 'a duration such as 20ms',
    bytes: 'a size such as 64KiB',
    share: 'a share such as 0.1%',
    percent: 'a percentage such as 80%',
    rps: 'a rate such as 500',
    MBps: 'a rate such as 500MB/s',
    count: 'a number such as 11',
  };
  return examples[unit];
}

function isOperator(text: string): text is Operator {
  return (operators as readonly string[]).includes(text);
}

function skipSpace(text: string, from: number): number {
  return from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0);
}

/** @param at index of the offending character */
function unreadable(text: string, at: number, expected: string, cause?: unknown): TopoBenchError {
  const line = text.replace(/\s/g, ' ');
  return new TopoBenchError(
    'TB_GATE_THRESHOLD',
    `threshold ${JSON.stringify(text)}, character ${at + 1}: ${expected}\n  ${line}\n  ${' '.repeat(at)}^`,
    cause === undefined ? {} : { cause },
  );
}
