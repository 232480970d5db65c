/**
 * The persistence study on the page: verdicts, averages, each metric against the load, scores, and the configuration of
 * the stores.
 */
import type { StudyTable } from '@topo-bench/report';
import { dataTable, folded, html, lineLegend, type Markup, type Section, section } from '@topo-bench/report/html';
import { type ReportModel, thresholdSentences } from '@topo-bench/report/model';
import { compositeScores } from './composite.ts';
import { loadChart } from './store-charts.ts';
import { levelsOf, type StudyCell, studyCells, studyMetrics } from './study-cells.ts';

export function pageSections(report: ReportModel, tables: readonly StudyTable[]): Section[] {
  const cells = studyCells(report);
  const tableOf = (id: string): StudyTable => tables.find((table) => table.id === id) as StudyTable;
  const plain = (id: string): Section => {
    const table = tableOf(id);
    return section(id, table.title, table.note, markupOf(table));
  };
  const [hypotheses, claims, composite] = [tableOf('hypotheses'), tableOf('claims'), tableOf('composite')];
  return [
    ...thresholds(report),
    section(
      hypotheses.id,
      hypotheses.title,
      hypotheses.note,
      markupOf(hypotheses),
      html`<h3>${claims.title}</h3><p>${claims.note}</p>`,
      markupOf(claims),
    ),
    plain('averages'),
    section(
      'against-load',
      'Against load',
      'Median over the valid repetitions. Levels of load are spaced evenly.',
      lineLegend(levelsOf(cells, 'store')),
      studyMetrics.map(
        ({ key, heading }) =>
          html`<h3>${heading}</h3><div class="plots">${levelsOf(cells, 'workload').map((workload) => loadChart(cells, workload, key, heading))}</div>`,
      ),
      folded('Every level of load as a table', markupOf(tableOf('by-load'))),
    ),
    section(
      'composite',
      composite.title,
      composite.note,
      heatMap(cells),
      folded('Scores as a table', markupOf(composite)),
    ),
    section(
      'stores',
      'Stores',
      'What each store ran on, with the settings that decide over durability, as the server reports them. Each keeps its own default: not every server has a write on the disk before it answers.',
      storesTable(report),
    ),
  ];
}

function thresholds(report: ReportModel): Section[] {
  const sentences = thresholdSentences(report);
  if (sentences.length === 0) return [];
  const list = html`<ul>${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>`;
  return [section('thresholds', 'Thresholds', 'What the experiment asks of its figures.', list)];
}

function markupOf({ title, columns, rows }: StudyTable): Markup {
  return dataTable(title, columns, rows);
}

const cellWidth = 110;
const cellHeight = 34;
const labelWidth = 150;

/** Better values are darker; every field also shows its figure. */
function heatMap(cells: readonly StudyCell[]): Markup {
  const [stores, workloads] = [levelsOf(cells, 'store'), levelsOf(cells, 'workload')];
  const scores = compositeScores(cells);
  const width = labelWidth + workloads.length * cellWidth;
  const height = (stores.length + 1) * cellHeight;
  const field = (store: string, workload: string, row: number, column: number): Markup => {
    const score = scores.find((one) => one.store === store && one.workload === workload)?.score ?? Number.NaN;
    const [x, y] = [labelWidth + column * cellWidth, (row + 1) * cellHeight];
    const shade = Number.isNaN(score) ? 0 : 0.1 + 0.75 * score;
    const ink = shade > 0.5 ? 'var(--card)' : 'var(--ink)';
    return html`<rect x="${x}" y="${y}" width="${cellWidth - 2}" height="${cellHeight - 2}" fill="var(--accent)" fill-opacity="${shade.toFixed(2)}"/><text x="${x + cellWidth / 2}" y="${y + cellHeight / 2 + 4}" text-anchor="middle" fill="${ink}">${Number.isNaN(score) ? '–' : score.toFixed(2)}</text>`;
  };
  return html`<div class="scroll" role="region" aria-label="heat map of composite scores" tabindex="0"><svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Composite score of each store under each workload; the table below has the figures" font-size="13">
${workloads.map((workload, column) => html`<text x="${labelWidth + (column + 0.5) * cellWidth}" y="${cellHeight / 2 + 4}" text-anchor="middle" fill="var(--dim)">${workload}</text>`)}
${stores.map((store, row) => html`<text x="0" y="${(row + 1.5) * cellHeight + 4}" fill="var(--ink)">${store}</text>${workloads.map((workload, column) => field(store, workload, row, column))}`)}</svg></div>`;
}

function storesTable({ groups }: ReportModel): Markup {
  const rows = new Map<string, string[]>();
  for (const { persistence } of groups.flatMap(({ valid, invalid }) => [...valid, ...invalid])) {
    if (!persistence) continue;
    const { configuration, server, rows: count, poolSize, reset } = persistence;
    const settings = Object.entries(server.settings).map(([name, value]) => `${name}=${value}`);
    // A resumed run may have used another server.
    rows.set([configuration, server.name, server.version, server.source, server.address].join(' '), [
      configuration,
      `${server.name} ${server.version}`,
      server.address === undefined ? server.source : `${server.source}: ${server.address}`,
      `${count} rows, pool of ${poolSize}`,
      `${reset.method}, ${reset.ms} ms`,
      settings.join(', '),
    ]);
  }
  const headings = ['store', 'server', 'from', 'data', 'reset', 'settings'];
  return dataTable(
    'servers of the stores',
    headings.map((heading) => ({ heading })),
    [...rows.values()],
  );
}
