/** Planned events: requests by class over time with the events, and what each event did. */
import { cellKey, factorHeading, formatUs } from '@topo-bench/core';
import type { RequestClasses } from '@topo-bench/core/schema/result';
import { formatCount, formatShort, missing } from '@topo-bench/report';
import { dataTable, drawnFigure, folded, html, type Section, type SeriesPanel, section } from '@topo-bench/report/html';
import { describeLevels, type ReportModel } from '@topo-bench/report/model';
import { clockErrorText } from './clock-error.ts';
import { type EventFigures, eventFigures, hasEvents } from './event-figures.ts';
import { versionPanels } from './version-panels.ts';

const lines = [
  { name: 'served', colour: '--k-0' },
  { name: 'lost', colour: '--error' },
  { name: 'failed', colour: '--k-1' },
] as const;

/** None for a run without events. */
export function eventsSections(report: ReportModel): Section[] {
  if (!hasEvents(report)) return [];
  return [
    section(
      'events',
      'Events',
      'Roles that crash, freeze or are slow, and messages that are lost, at planned times of the load. In all charts over time, a grey band is an event, from the time at which it was asked for until its end had taken effect.',
      drawnFigure({
        title: 'Requests by class over the load',
        name: 'classes',
        draw: 'series',
        lead: 'Stacked requests per second by the time at which they were meant to be sent, mean of the valid repetitions; events of the first one. Served: answered or refused in time.',
        without: folded('Figures of events', eventsTable(report)),
      }),
      ...versionsFigure(report),
      eventsTable(report),
      html`<p class="note">Medians over the valid repetitions; of crashes at drawn times, those of a repetition’s mean counts and median times. Times count from the moment at which the event was asked for. Detected: the first client had an error. First success: a request that was sent afterwards and needs the role was completed. Recovered: for one second as large a share of requests was served as in the minute before, or in the load until then. Lost: no answer in time. Taken over: steps that another enforcement point decided.${clockErrorText(report)}</p>`,
      classesTable(report),
    ),
  ];
}

/** None where no rules changed. */
function versionsFigure(report: ReportModel) {
  if (versionPanels(report).length === 0) return [];
  return [
    drawnFigure({
      title: 'Versions in force at each enforcement point',
      name: 'versions',
      draw: 'series',
      lead: 'The newest version of the rules by which a point had decided a request, by the time at which the request was sent, in the first valid repetition. Where the lines part, some points decide by old rules.',
    }),
  ];
}

/** A panel for each cell, with the mean of its valid repetitions. */
export function classPanels(report: ReportModel): SeriesPanel[] {
  const varying = report.factors.filter(({ levels }) => levels.length > 1);
  const panels = report.groups.flatMap(({ factors, valid }, cell) => {
    const series = valid.flatMap(({ classesOverTime }) => classesOverTime ?? []);
    const [first] = series;
    if (!first) return [];
    const { stepMs } = first;
    const perSecond = 1e3 / stepMs / series.length;
    const values = lines.map(({ name }) =>
      first[name].map((_, step) => perSecond * series.reduce((sum, one) => sum + (one[name][step] ?? 0), 0)),
    );
    const title = describeLevels(varying, factors) || cellKey(factors);
    return [{ cell, title, stepMs, lines: lines.map((line, at) => ({ ...line, values: values[at] ?? [] })) }];
  });
  const sums = panels.flatMap(({ lines: [first, ...others] }) =>
    (first?.values ?? []).map((value, step) => others.reduce((sum, { values }) => sum + (values[step] ?? 0), value)),
  );
  const max = Math.max(1, ...sums);
  return panels.map((panel) => ({ ...panel, heading: 'requests per second', stacked: true, max }));
}

/** @returns headings of `eventTexts`; steps that were taken over only where a cell has takeover */
export function eventHeadings(events: readonly EventFigures[]): string[] {
  const takenOver = events.some((event) => !Number.isNaN(event.takenOver)) ? ['taken over'] : [];
  return ['at', 'lasts', 'lost', 'failed', 'late', ...takenOver, 'detected', 'first success', 'recovered'];
}

function eventsTable(report: ReportModel) {
  const { factors, groups } = report;
  const found = eventFigures(report);
  const headings = eventHeadings(found);
  const columns = [
    ...factors.map(({ name }) => ({ heading: factorHeading(name) })),
    { heading: 'event' },
    ...headings.map((heading) => ({ heading, number: true })),
  ];
  const rows = found.map((event) => [
    ...factors.map(({ name }) => String(groups[event.at]?.factors[name] ?? missing)),
    event.name,
    ...eventTexts(event, headings),
  ]);
  return dataTable(
    'events and what they did to requests',
    columns,
    rows,
    found.map(({ at }) => at),
  );
}

/** @param headings as of `eventHeadings` */
export function eventTexts(event: EventFigures, headings: readonly string[]): string[] {
  const { atUs, lastsUs, lost, failed, late, takenOver, detectedUs, firstSuccessUs, recoveredUs } = event;
  const isTaken = headings.includes('taken over');
  return [
    formatUs(atUs),
    formatUs(lastsUs, 'to the end'),
    ...[lost, failed, late, ...(isTaken ? [takenOver] : [])].map(formatShort),
    formatUs(detectedUs),
    formatUs(firstSuccessUs, 'never'),
    formatUs(recoveredUs, 'never'),
  ];
}

/** The schema has no other counts: the classes of an entry add up to its schedule. */
function countsOf({ lostAt: _at, failedBy: _by, ...counts }: RequestClasses) {
  return counts;
}

function classesTable({ factors, groups }: ReportModel) {
  const shown = groups.flatMap(({ factors: levels, valid }, at) => {
    const classes = valid.flatMap((cell) => (cell.classes ? countsOf(cell.classes) : []));
    return classes.length === 0 ? [] : [{ at, levels, classes }];
  });
  const classNames = Object.keys(shown[0]?.classes[0] ?? {}) as (keyof ReturnType<typeof countsOf>)[];
  const columns = [
    ...factors.map(({ name }) => ({ heading: factorHeading(name) })),
    ...classNames.map((heading) => ({ heading, number: true })),
  ];
  const rows = shown.map(({ levels, classes }) => [
    ...factors.map(({ name }) => String(levels[name] ?? missing)),
    ...classNames.map((name) => formatCount(classes.reduce((sum, one) => sum + one[name], 0))),
  ]);
  return folded('Classes of all requests, as a table', [
    dataTable(
      'requests by class',
      columns,
      rows,
      shown.map(({ at }) => at),
    ),
    html`<p class="note">Each scheduled request of the valid repetitions is in exactly one class.</p>`,
  ]);
}
