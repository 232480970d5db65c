/** Rules that changed under load: how long old ones were applied, to how many requests, and what they let through. */
import { counted, describeLevel, factorHeading, formatBytes } from '@topo-bench/core';
import type { Staleness } from '@topo-bench/core/schema/result';
import { formatCount, formatMs, numberColumn, type StudyTable, textColumn } from '@topo-bench/report';
import type { ReportModel } from '@topo-bench/report/model';
import { median, medianInterval } from '@topo-bench/stats';
import { clockErrorText } from './clock-error.ts';
import type { Findings } from './findings.ts';

interface Changed {
  levels: ReportModel['groups'][number]['factors'];
  /** Index of the cell in the report. */
  cell: number;
  repetitions: Staleness[];
}

const never = 'never';
const confidence = 0.05;

/** Empty where no rules changed. */
export function ruleChanges(model: ReportModel): Findings[] {
  const cells = changedCells(model);
  return cells.length === 0 ? [] : [{ sentences: sentencesOn(model, cells), table: tableOf(model, cells) }];
}

function tableOf(model: ReportModel, cells: readonly Changed[]): StudyTable {
  const factors = varying(model);
  return {
    id: 'rule-changes',
    title: 'Changes of rules',
    note: `Times in ms from the request of a change: until its last confirmation, and until the last request was sent that old rules decided; the median over all changes, with its 95% interval where there are six or more, and the maximum. Stale decisions are those by old rules for requests that were sent after the change was asked for, and after it was confirmed. Let through: those of data that the new rules refuse. Refused: those of data that they allow. A torn request was decided by two versions.${clockErrorText(model)}`,
    columns: [
      ...factors.map(({ name }) => textColumn(factorHeading(name))),
      ...[
        'changes',
        'confirmed',
        'last stale',
        'max',
        'stale',
        'let through',
        'exposed',
        'refused',
        'after confirmation',
        'torn',
      ].map(numberColumn),
    ],
    rows: cells.map(({ levels, repetitions }) => {
      const changes = repetitions.flatMap(({ versions }) => versions);
      const last = changes.map(({ lastUs }) => lastUs);
      const sum = (of: (one: Staleness) => number): number => repetitions.reduce((total, one) => total + of(one), 0);
      return [
        ...factors.map(({ name }) => String(levels[name] ?? '–')),
        formatCount(changes.length),
        medianText(changes.map(({ confirmedAfterUs = Number.POSITIVE_INFINITY }) => confirmedAfterUs)),
        medianText(last),
        formatMs(Math.max(...last), never),
        formatCount(sum(({ sinceAsked }) => sinceAsked.decisions)),
        formatCount(sum(({ sinceAsked }) => sinceAsked.letThrough)),
        formatBytes(sum(({ sinceAsked }) => bytesOf(sinceAsked.exposedBytes))),
        formatCount(sum(({ sinceAsked }) => sinceAsked.refused)),
        formatCount(sum(({ sinceConfirmed }) => sinceConfirmed.decisions)),
        formatCount(sum(({ torn }) => torn)),
      ];
    }),
    cells: cells.map(({ cell }) => cell),
  };
}

/** A sentence for each cell with stale decisions, then what holds for all cells. */
function sentencesOn(model: ReportModel, cells: readonly Changed[]): string[] {
  const factors = varying(model);
  const stale = cells.filter(({ repetitions }) => repetitions.some(({ sinceAsked }) => sinceAsked.decisions > 0));
  const sum = (of: (one: Staleness) => number, among = cells): number =>
    among.flatMap(({ repetitions }) => repetitions).reduce((total, one) => total + of(one), 0);
  const confirmed = sum(({ sinceConfirmed }) => sinceConfirmed.decisions);
  const torn = cells.filter((cell) => sum((one) => one.torn, [cell]) > 0);
  return [
    ...stale.map((cell) => {
      const { levels, repetitions } = cell;
      const lastUs = repetitions.flatMap(({ versions }) => versions.map((version) => version.lastUs));
      const letThrough = sum(({ sinceAsked }) => sinceAsked.letThrough, [cell]);
      const name = factors.map((factor) => describeLevel(factor.name, levels[factor.name] as string)).join(' · ');
      const until = `requests that were sent up to ${formatMs(Math.max(...lastUs), never)} ms after a change was asked for (median ${medianText(lastUs)} ms of ${counted(lastUs.length, 'change')})`;
      const refused = sum(({ sinceAsked }) => sinceAsked.refused, [cell]);
      const wrongs = [
        ...(letThrough > 0
          ? [`, let data through in ${counted(letThrough, 'decision')} that the new rules refuse`]
          : []),
        ...(refused > 0 ? [`, and refused data in ${counted(refused, 'decision')} that the new rules allow`] : []),
      ];
      return `${name === '' ? 'Old' : `${name}: old`} rules decided ${until}${wrongs.join('')}.`;
    }),
    ...(stale.length === cells.length
      ? []
      : [
          `${inCells(cells.length - stale.length, cells)} no old rules decided a request that was sent after a change was asked for.`,
        ]),
    confirmed === 0
      ? 'No old rules decided a request that was sent after a change was confirmed.'
      : `Old rules made ${counted(confirmed, 'decision')} for requests that were sent after a change was confirmed.`,
    torn.length === 0
      ? 'No request was decided by two versions.'
      : `${inCells(torn.length, cells)} ${counted(
          sum((one) => one.torn),
          'request',
        )} ${sum((one) => one.torn) === 1 ? 'was' : 'were'} decided by two versions.`,
  ];
}

function inCells(count: number, { length }: readonly unknown[]): string {
  return length === 1 ? 'Here' : `In ${count} of ${length} cells`;
}

function changedCells({ groups }: ReportModel): Changed[] {
  return groups.flatMap(({ factors, valid }, cell): Changed[] => {
    const repetitions = valid.flatMap(({ staleness }) => staleness ?? []);
    return repetitions.length > 0 ? [{ levels: factors, cell, repetitions }] : [];
  });
}

function varying({ factors }: ReportModel): ReportModel['factors'] {
  return factors.filter(({ levels }) => levels.length > 1);
}

/** `12 [9, 17]` in ms; without an interval for fewer than six values. */
function medianText(values: readonly number[]): string {
  const middle = formatMs(median(values), never);
  const [low, high] = medianInterval(values, confidence);
  return Number.isFinite(low) ? `${middle} [${formatMs(low, never)}, ${formatMs(high, never)}]` : middle;
}

function bytesOf(byCategory: Readonly<Record<string, number>>): number {
  return Object.values(byCategory).reduce((sum, bytes) => sum + bytes, 0);
}
