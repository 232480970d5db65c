/** Throughput as in the figures of the published study: for each database a bar without windows and one with them. */
import { formatCount } from '@topo-bench/report';
import { dataTable, html, legend, type Markup, repetitionPoints } from '@topo-bench/report/html';
import { rateHeading } from './cell-columns.ts';
import type { StreamCell } from './stream-cells.ts';
import { throughputInterval } from './stream-tables.ts';

const height = 22;

/** A table of bars for each combination of other factors; bars of a table share one scale. */
export function throughputBars(cells: readonly StreamCell[]): Markup {
  const windows = [...new Set(cells.map((cell) => cell.windows))];
  const fillOf = (cell: StreamCell): string => `fill-level k-${windows.indexOf(cell.windows) % 6}`;
  const entries = windows.map((one, at) => ({
    label: one === 'none' ? 'no windows' : `windows of ${one}`,
    fill: `fill-level k-${at % 6}`,
  }));
  const titles = [...new Set(cells.map(({ others }) => others))];
  const drawn = titles.map((title) => {
    const own = cells.filter(({ others }) => others === title);
    const max = Math.max(
      ...own
        .flatMap((cell) => [cell.figures.pointsPerSecond, throughputInterval(cell.rates)[1], ...cell.rates.values()])
        .filter(Number.isFinite),
      1,
    );
    const rows = own.map((cell) => [
      windows.length > 1 ? `${cell.name}, ${cell.windows === 'none' ? 'no windows' : cell.windows}` : cell.name,
      formatCount(cell.figures.pointsPerSecond),
      intervalBar(cell, max, fillOf(cell)),
    ]);
    const columns = [
      { heading: 'database' },
      { heading: rateHeading(own), number: true },
      { heading: `linear, 0 to ${formatCount(max)}`, text: true },
    ];
    const label = `Throughput at full speed${title && `, ${title}`}`;
    const indices = own.map(({ index }) => index);
    // The page hides a panel without visible rows.
    return html`<div class="panel">${title && html`<h3>${title}</h3>`}${dataTable(label, columns, rows, indices)}</div>`;
  });
  return html`${legend(entries)}${drawn}`;
}

/** The bar ends at the median; the line spans its 95% interval; a point for each repetition. */
function intervalBar(cell: StreamCell, max: number, fill: string): Markup {
  const value = cell.figures.pointsPerSecond;
  const [low, high] = throughputInterval(cell.rates);
  const isKnown = Number.isFinite(low) && Number.isFinite(high);
  const place = (rate: number): string => `${((rate / max) * 100).toFixed(2)}%`;
  const text = `${cell.name}, ${cell.windows === 'none' ? 'no windows' : `windows of ${cell.windows}`}: ${formatCount(value)} ${cell.unit}/s${isKnown ? `, 95% interval ${formatCount(low)} to ${formatCount(high)}` : ''}`;
  const middle = height / 2;
  return html`<svg class="bar" width="100%" height="${height}" role="img" aria-label="${text}"><title>${text}</title>${
    Number.isFinite(value) && html`<rect class="${fill}" x="0" width="${place(value)}" y="4" height="14"/>`
  }${
    isKnown &&
    html`<line x1="${place(low)}" x2="${place(high)}" y1="${middle}" y2="${middle}" stroke="var(--ink)" stroke-width="2"/>${[low, high].map((end) => html`<line x1="${place(end)}" x2="${place(end)}" y1="${middle - 4}" y2="${middle + 4}" stroke="var(--ink)" stroke-width="2"/>`)}`
  }${repetitionPoints([...cell.rates.values()], place)}</svg>`;
}
