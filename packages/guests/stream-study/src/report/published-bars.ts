/** The bars of the published study next to those of this run. Both have a scale of their own. */
import { formatCount, missing } from '@topo-bench/report';
import { barStrip, dataTable, html, legend, type Markup } from '@topo-bench/report/html';
import type { PublishedMean } from './published-means.ts';
import { type PublishedRow, publishedRows } from './published-table.ts';
import type { StreamCell } from './stream-cells.ts';

type Origin = 'published' | 'here';

const fillOf = (origin: Origin, hasWindows: boolean): string =>
  `fill-level k-${(origin === 'published' ? 0 : 2) + (hasWindows ? 1 : 0)}`;

/** A table for each workload that the run measured. */
export function publishedBars(published: readonly PublishedMean[], cells: readonly StreamCell[]): Markup {
  const rows = publishedRows(published, cells);
  const jobs = [...new Set(rows.map(({ job }) => job))];
  const entries = (['published', 'here'] as const).flatMap((origin) =>
    [false, true].map((hasWindows) => ({
      label: `${origin}, ${hasWindows ? 'windows' : 'no windows'}`,
      fill: fillOf(origin, hasWindows),
    })),
  );
  return html`${legend(entries)}${jobs.map((job) =>
    jobBars(
      job.replace('-', ' '),
      rows.filter((row) => row.job === job),
    ),
  )}`;
}

function jobBars(title: string, rows: readonly PublishedRow[]): Markup {
  const here = (cell: StreamCell | undefined): number => cell?.figures.pointsPerSecond ?? Number.NaN;
  const lines = rows.flatMap(({ published, cells }) =>
    (cells.length === 0 ? [undefined] : cells).map((cell) => ({ published, cell })),
  );
  const scale = (values: readonly number[]): number => Math.max(1, ...values.filter(Number.isFinite));
  const publishedMax = scale(lines.map(({ published }) => published.perSecond));
  const ownMax = scale(lines.map(({ cell }) => here(cell)));
  const bar = (origin: Origin, store: string, hasWindows: boolean, value: number, max: number): Markup =>
    barStrip(
      [{ label: `${store}, ${origin}`, value, fill: fillOf(origin, hasWindows) }],
      max,
      (part) => `${part.label}, ${hasWindows ? 'windows' : 'no windows'}: ${formatCount(part.value)} per second`,
    );
  const columns = [
    { heading: 'store' },
    { heading: 'linear, own scales', text: true },
    { heading: 'published', number: true },
    { heading: 'here', number: true },
  ];
  const texts = lines.map(({ published: { store, hasWindows, perSecond }, cell }) => [
    // Spaces let narrow pages break the name.
    store.replace('+', ' + '),
    html`${bar('published', store, hasWindows, perSecond, publishedMax)}${
      cell && bar('here', cell.name, hasWindows, here(cell), ownMax)
    }`,
    formatCount(perSecond),
    cell ? formatCount(here(cell)) : missing,
  ]);
  const cells = lines.map(({ cell }) => cell?.index);
  return html`<h3>${title}</h3>${dataTable(`Published means and this run, ${title}`, columns, texts, cells)}`;
}
