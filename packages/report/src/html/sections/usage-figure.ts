/** CPU and event loops over a repetition: a figure that the page's script draws, and its extremes as a table. */
import { factorHeading, groupedBy } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { formatShort } from '../../figure-text.ts';
import type { ReportModel } from '../../model/report-model.ts';
import { type SeriesOf, usageTimeline } from '../../model/usage-timeline.ts';
import { drawnFigure } from '../chart-figure.ts';
import { dataTable, folded } from '../data-table.ts';
import { html, type Markup } from '../safe-html.ts';

/** Nothing for results without series, such as those of earlier versions. */
export function usageFigure(report: ReportModel): Markup | undefined {
  const rows = report.groups.flatMap(({ valid, factors }, at) =>
    busiest(valid, report.seriesOf).map((one) => ({ at, factors, ...one })),
  );
  if (rows.length === 0) return undefined;
  const hasLoops = rows.some(({ busyShare }) => !Number.isNaN(busyShare));
  const columns = [
    ...report.factors.map(({ name }) => ({ heading: factorHeading(name) })),
    { heading: 'role' },
    { heading: 'CPU', number: true },
    ...(hasLoops ? [{ heading: 'event loop', number: true }] : []),
  ];
  const percent = (share: number): string => (Number.isNaN(share) ? '–' : `${formatShort(share)}%`);
  const table = dataTable(
    'busiest interval of each role',
    columns,
    rows.map(({ factors, role, cpuPercent, busyShare }) => [
      ...report.factors.map(({ name }) => String(factors[name] ?? '–')),
      role,
      percent(cpuPercent),
      ...(hasLoops ? [percent(100 * busyShare)] : []),
    ]),
    rows.map(({ at }) => at),
  );
  return html`${drawnFigure({
    title: hasLoops ? 'CPU and event loops over a repetition' : 'CPU over a repetition',
    name: 'usage',
    lead: hasLoops
      ? 'One repetition. Its time axis is that of the times above: the pointer marks one moment in all of them. Requests: the median as a line, the slowest as dots. CPU is the sum of the processes of a role; event loop: the busiest of them. Bands: episodes of slow requests.'
      : 'One repetition. CPU is the sum of the processes of a role.',
    without: html`<p class="note">This chart needs the page’s script; the table below has the busiest intervals.</p>`,
  })}${folded('Busiest intervals as a table', [
    table,
    html`<p class="note">The busiest interval of all valid repetitions. CPU: 100% is one core.</p>`,
  ])}`;
}

interface BusiestInterval {
  role: string;
  cpuPercent: number;
  /** NaN where it was not recorded. */
  busyShare: number;
}

function busiest(cells: readonly Cell[], seriesOf: SeriesOf | undefined): BusiestInterval[] {
  const timelines = cells.flatMap((cell) => usageTimeline(cell, seriesOf) ?? []);
  const byRole = groupedBy(
    timelines.flatMap(({ roles }) => roles),
    ({ role }) => role,
  );
  return [...byRole].map(([role, series]) => ({
    role,
    cpuPercent: max(series.flatMap(({ cpuPercent }) => cpuPercent)),
    busyShare: max(series.flatMap(({ busyShare = [] }) => busyShare)),
  }));
}

/** NaN without values. */
function max(values: readonly (number | null)[]): number {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? Number.NaN : known.reduce((a, b) => Math.max(a, b));
}
