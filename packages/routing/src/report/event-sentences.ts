/** Sentences on planned crashes: requests that were not served, and the time until recovery, of each cell. */
import { counted, formatUs } from '@topo-bench/core';
import { formatShort } from '@topo-bench/report';
import { describeLevels, type ReportModel } from '@topo-bench/report/model';
import { figuresPerCrash, type PerCrash } from './event-figures.ts';

/** A sentence has at most so many cells; the table has all. */
const maxCells = 6;

/** Empty without crashes. */
export function eventSentences(report: ReportModel): string[] {
  const cells = figuresPerCrash(report);
  if (cells.length === 0) return [];
  const varying = report.factors.filter(({ levels }) => levels.length > 1);
  const nameOf = ({ at }: PerCrash): string => describeLevels(varying, report.groups[at]?.factors ?? {});
  const shown = cells.slice(0, maxCells);
  const unserved = shown.map((cell) => `${nameOf(cell)} ${unservedText(cell)}`.trim());
  const lost = shown.map(({ lost }) => formatShort(lost));
  const back = shown.map(({ recoveredUs }) => formatUs(recoveredUs, 'never'));
  const range = shown.some(({ isInterval }) => !isInterval) ? ' In brackets: smallest and largest repetition.' : '';
  const more =
    cells.length > shown.length ? ` ${counted(cells.length - shown.length, 'further cell')}: see the table.` : '';
  const order = shown.length > 1 ? ' in this order' : '';
  return [
    `Requests that were not served per crash: ${unserved.join(', ')}.${range}${more}`,
    `Without any answer (lost) of them${order}: ${lost.join(', ')}; served as before the crash after${order}: ${back.join(', ')}.`,
  ];
}

function unservedText({ unserved, interval: [low, high] }: PerCrash): string {
  return `${formatShort(unserved)} [${formatShort(low)}, ${formatShort(high)}]`;
}
