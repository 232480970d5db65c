/** Texts that the forms of a list of runs share: figures, changes, and how to read them. */
import { formatChange, formatValue } from '@topo-bench/comparison';
import { type TimeMetric, timeMetricNames } from '../model/time-metric.ts';
import type { Spread } from '../trend/spread.ts';
import { type Change, type ListedRun, type Series, usualDifferencePercent } from './run-list.ts';

/** `9.7 ms [9.1 ms, 10 ms]`. Parentheses instead of brackets mark the range of fewer than six repetitions. */
export function spreadText({ value, low, high, kind, values }: Spread, unit: Series['unit']): string {
  const text = formatValue(value, unit);
  if (values.length < 2) return text;
  const ends = `${formatValue(low, unit)}, ${formatValue(high, unit)}`;
  return `${text} ${kind === 'interval' ? `[${ends}]` : `(${ends})`}`;
}

export function changeText(change: Change | undefined): string {
  if (!change) return '–';
  const { percent, mark } = change;
  return `${formatChange(percent)}${mark === 'beyond' ? ' ‼' : mark === 'usual' ? ' !' : ''}`;
}

/** Words for a mark, for tables and readers that do not see signs. */
export const markTexts: Record<Change['mark'], string> = {
  covered: 'within its interval',
  usual: `outside its interval, but not more than the ${usualDifferencePercent}% by which separate runs differ`,
  beyond: `outside its interval and more than ${usualDifferencePercent}%: measure both with topo-bench gate`,
};

export const readingHints: readonly string[] = [
  `Medians of separate runs of the same code differ by 9 to ${usualDifferencePercent}% on one machine, because a run's own interval does not include what stays the same within a run. A list cannot show a smaller difference; topo-bench gate, whose sides take turns, can.`,
  `Changes are against the run before with the same set-up. No mark: the interval of the run includes the earlier figure. "!": it does not, but the difference is at most ${usualDifferencePercent}%. "‼": it does not, and the difference is larger.`,
  'Brackets: 95% interval of the median over the repetitions. Parentheses: range of fewer than six repetitions, which is no interval.',
];

export function versionText({ version, ref }: ListedRun): string {
  return ref === undefined ? version : `${version}, ${ref}`;
}

/** `12 of 12`, with the status of a run that is not finished. */
export function validText({ valid, repetitions, status }: ListedRun): string {
  return `${valid} of ${repetitions}${status === 'finished' ? '' : `, ${status}`}`;
}

/** Name of the figure in words: `median round-trip time`, `rows per second`. */
export function figureName({ metric }: Series): string {
  const [subject = '', figure = ''] = metric.split('.');
  if (subject in timeMetricNames) return `${figure} ${timeMetricNames[subject as TimeMetric]}`;
  return figure.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Sentences on the set-ups of one experiment; empty when all its runs have the same. */
export function setupSentences(runs: readonly ListedRun[]): string[] {
  const seen = new Map<number, string[]>();
  for (const { setup } of runs) seen.set(setup.number, setup.differences);
  return [...seen]
    .filter(([number]) => number > 1)
    .map(([number, differences]) => `Set-up ${number}, not compared with set-up 1: ${differences.join('; ')}.`);
}
