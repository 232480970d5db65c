/** Planned events in the terminal: what each did to the requests of each cell. */
import type { ReportModel } from '@topo-bench/report/model';
import {
  type Column,
  factorColumns,
  factorTexts,
  type Styles,
  shownFactors,
  textTable,
  withoutColumns,
} from '@topo-bench/report/terminal';
import { eventFigures } from '../event-figures.ts';
import { eventHeadings, eventTexts } from '../events-section.ts';

/** Empty without events. */
export function eventsSection(report: ReportModel, width: number, styles: Styles): string[] {
  const events = eventFigures(report);
  if (events.length === 0) return [];
  const headings = eventHeadings(events);
  const shown = shownFactors(report.factors);
  const dropped = [...(events.every(({ late }) => late === 0) ? ['late'] : []), 'first success'];
  const columns: Column[] = [
    ...factorColumns(shown),
    { heading: 'event', align: 'left', dropOrder: 0 },
    ...headings.map((heading) => ({
      heading,
      align: 'right' as const,
      dropOrder: dropped.indexOf(heading) + 1,
    })),
  ];
  const rows = events.map((event, index) => {
    const group = report.groups[event.at] as ReportModel['groups'][number];
    const before = events[index - 1];
    return [
      ...factorTexts(shown, group, before && report.groups[before.at]),
      event.name,
      ...eventTexts(event, headings),
    ];
  });
  const table = textTable(columns, rows, width, styles.dim);
  return [
    styles.bold('Events: requests that were not served, and times from the begin of each'),
    ...table.lines,
    ...withoutColumns(table).map(styles.dim),
  ];
}
