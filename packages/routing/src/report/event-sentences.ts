/** Sentences on planned crashes and freezes: requests that were not served, and the time until recovery, by cell. */
import { counted, formatUs } from '@topo-bench/core';
import { formatShort } from '@topo-bench/report';
import { describeLevels, type ReportModel } from '@topo-bench/report/model';
import { clockErrorText } from './clock-error.ts';
import { figuresPerOutage, type Outage, type PerOutage } from './event-figures.ts';

/** A sentence has at most so many cells; the table has all. */
const maxCells = 6;

/** Empty without crashes and freezes. Those on crashes come first. */
export function eventSentences(report: ReportModel): string[] {
  const sentences = [...outageSentences(report, 'crash'), ...outageSentences(report, 'freeze')];
  const clock = clockErrorText(report);
  return sentences.length === 0 || clock === '' ? sentences : [...sentences, clock.trim()];
}

function outageSentences(report: ReportModel, outage: Outage): string[] {
  const cells = figuresPerOutage(report, outage);
  if (cells.length === 0) return [];
  const varying = report.factors.filter(({ levels }) => levels.length > 1);
  const nameOf = ({ at }: PerOutage): string => describeLevels(varying, report.groups[at]?.factors ?? {});
  const shown = cells.slice(0, maxCells);
  const named = (of: (cell: PerOutage) => string, among = shown): string =>
    among.map((cell) => `${nameOf(cell)} ${of(cell)}`.trim()).join(', ');
  const inBrackets = shown.every(({ isInterval }) => isInterval) ? '95% intervals' : 'smallest and largest repetition';
  const range = ` In brackets: ${inBrackets}.`;
  const more =
    cells.length > shown.length ? ` ${counted(cells.length - shown.length, 'further cell')}: see the table.` : '';
  const takers = cells.filter(({ takenOver }) => takenOver !== undefined).slice(0, maxCells);
  return [
    `Requests that were not served per ${outage}: ${named(unservedText)}.${range}${more}`,
    `Of these, lost without any answer: ${named(({ lost }) => formatShort(lost))}.`,
    ...(takers.length === 0
      ? []
      : [
          `Steps that another enforcement point took over per ${outage}: ${named(({ takenOver = 0 }) => formatShort(takenOver), takers)}.`,
        ]),
    `From a ${outage} until service was as before: ${named(recoveryText)}.`,
  ];
}

function recoveryText({ recoveredUs, events, unrecovered }: PerOutage): string {
  const open = unrecovered === 0 ? '' : ` (${unrecovered} of ${events} not before the next event or the end)`;
  return `${formatUs(recoveredUs, 'never')}${open}`;
}

function unservedText({ unserved, interval: [low, high] }: PerOutage): string {
  return `${formatShort(unserved)} [${formatShort(low)}, ${formatShort(high)}]`;
}
