/** The pattern of access: what each operator passes on in each tenth of a second of the paced job. */
import { formatShort, linearTicks } from '@topo-bench/report';
import { html, lineColour, lineLegend, type Markup, nestedWidth, type SeriesPanel } from '@topo-bench/report/html';
import type { ReportModel } from '@topo-bench/report/model';
import type { StreamEntry } from '../parts.ts';
import { type StreamCell, streamCells, windowsText } from './stream-cells.ts';

/** In the order of the job. */
const operators = ['source', 'keyBy', 'aggregate', 'sink'] as const;
const titles = ['source', 'key by', 'aggregate', 'sink'];
/** Longer jobs repeat the pattern. */
const maxIntervals = 100;

const width = 340;
const height = 170;
const left = 46;
const right = 8;
const top = 8;
const bottom = 34;

/** A panel for each cell, from its first valid repetition. Panels of a database share one scale. */
export function operatorPanels(report: ReportModel): SeriesPanel[] {
  const drawn = streamCells(report).flatMap((cell) => {
    const [first]: readonly StreamEntry[] = cell.group.valid;
    const counts = first?.stream?.counts;
    return counts ? [{ cell, lines: operators.map((name) => (counts[name] ?? []).slice(0, maxIntervals)) }] : [];
  });
  const maxOf = ({ database }: StreamCell): number =>
    Math.max(1, ...drawn.filter(({ cell }) => cell.database === database).flatMap(({ lines }) => lines.flat()));
  return drawn.map(({ cell, lines }) => ({
    cell: cell.index,
    title: `${cell.name} ${windowsText(cell.windows)}${cell.others && `, ${cell.others}`}${equalText(lines)}`,
    heading: 'elements in 0.1 s',
    stepMs: 100,
    max: maxOf(cell),
    lines: lines.map((values, at) => ({ name: titles[at] as string, colour: lineColour(at), values })),
  }));
}

/** Operators whose lines lie on each other: ` (source = key by)`. */
function equalText(lines: readonly (readonly number[])[]): string {
  const groups = new Map<string, string[]>();
  for (const [at, values] of lines.entries()) {
    const key = Array.from({ length: maxIntervals }, (_, step) => values[step] ?? 0).join();
    groups.set(key, [...(groups.get(key) ?? []), titles[at] as string]);
  }
  const equal = [...groups.values()].filter((names) => names.length > 1).map((names) => names.join(' = '));
  return equal.length === 0 ? '' : ` (${equal.join(', ')})`;
}

/** The same panels without the script. */
export function operatorCharts(panels: readonly SeriesPanel[]): Markup {
  return html`${lineLegend(titles)}<div class="plots">${panels.map(panelChart)}</div>`;
}

function panelChart({ title, heading, max, lines }: SeriesPanel): Markup {
  const length = Math.max(...lines.map(({ values }) => values.length), 2);
  const x = (at: number): number => left + (at / (length - 1)) * (width - left - right);
  const y = (value: number): number => height - bottom - (value / max) * (height - top - bottom);
  const told = lines.map(({ name, values }) => `${name} up to ${Math.max(0, ...values)}`).join(', ');
  const label = `Elements in each tenth of a second, ${title}: ${told}`;
  const end = (length - 1) / 10;
  const seconds = end < 2 ? [0, end / 2, end] : [0, Math.round(end / 2), Math.floor(end)];
  return html`<figure class="plot"><figcaption class="plot-title">${title}: ${heading}, linear</figcaption><svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${label}" font-size="11">
${linearTicks(max).map((tick) => html`<line x1="${left}" x2="${width - right}" y1="${y(tick)}" y2="${y(tick)}" stroke="var(--grid)"/><text x="${left - 6}" y="${y(tick) + 4}" text-anchor="end" fill="var(--dim)">${formatShort(tick)}</text>`)}
${seconds.map((second, at) => html`<text x="${x(second * 10)}" y="${height - bottom + 16}" text-anchor="${['start', 'middle', 'end'][at]}" fill="var(--dim)">${formatShort(second)}</text>`)}
<text x="${(left + width - right) / 2}" y="${height - 4}" text-anchor="middle" fill="var(--dim)">seconds</text>
${lines.map(({ colour, values }, at) => html`<polyline fill="none" stroke="var(${colour})" stroke-width="${nestedWidth(at, lines.length)}" points="${Array.from({ length }, (_, i) => `${x(i).toFixed(1)},${y(values[i] ?? 0).toFixed(1)}`).join(' ')}"/>`)}</svg></figure>`;
}
