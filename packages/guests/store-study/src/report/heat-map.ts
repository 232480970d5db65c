/**
 * Composite scores of stores by workload as a heat map. Better scores are darker; every field also shows its figure,
 * and on hover what it is made of.
 */
import { formatFigure } from '@topo-bench/report';
import { chartFigure, html, type Markup } from '@topo-bench/report/html';
import type { ReportModel } from '@topo-bench/report/model';
import { compositeScores } from './composite.ts';
import { averageOver, cellsOf, levelsOf, studyCells, studyMetrics } from './study-cells.ts';

const fieldWidth = 110;
const fieldHeight = 34;
const labelWidth = 150;
const labelIndent = 10;

/** Opacity of the fill. Texts keep a contrast of 4.5 on the strongest one, in light and dark schemes. */
const [weakest, strongest] = [0.06, 0.5];

export function heatMap(report: ReportModel): Markup {
  const cells = studyCells(report);
  const [stores, workloads] = [levelsOf(cells, 'store'), levelsOf(cells, 'workload')];
  const scores = compositeScores(cells);
  const width = labelWidth + workloads.length * fieldWidth;
  const height = (stores.length + 1) * fieldHeight;
  const field = (store: string, workload: string, row: number, column: number): Markup => {
    const score = scores.find((one) => one.store === store && one.workload === workload)?.score ?? Number.NaN;
    const [x, y] = [labelWidth + column * fieldWidth, (row + 1) * fieldHeight];
    const shade = Number.isNaN(score) ? 0 : weakest + (strongest - weakest) * score;
    const text = Number.isNaN(score) ? '–' : score.toFixed(2);
    const parts = studyMetrics.map(
      ({ key, short }) => `${short} ${formatFigure(averageOver(cells, store, workload, key))}`,
    );
    return html`<g data-cells="${cellsOf(report, store, workload).join(' ')}"><title>${store}, ${workload}: ${text} of 1 (${parts.join(', ')})</title><rect x="${x}" y="${y}" width="${fieldWidth - 2}" height="${fieldHeight - 2}" fill="var(--accent)" fill-opacity="${shade.toFixed(2)}"/><text x="${x + fieldWidth / 2}" y="${y + fieldHeight / 2 + 4}" text-anchor="middle" fill="var(--ink)">${text}</text></g>`;
  };
  return chartFigure(
    { title: 'Composite scores', name: 'composite' },
    html`<div class="scroll fitted" role="region" aria-label="heat map of composite scores" tabindex="0"><svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Composite score of each store under each workload; the table below has the figures" font-size="13">
${workloads.map((workload, column) => html`<text x="${labelWidth + (column + 0.5) * fieldWidth}" y="${fieldHeight / 2 + 4}" text-anchor="middle" fill="var(--dim)">${workload}</text>`)}
${stores.map((store, row) => html`<text x="${labelIndent}" y="${(row + 1.5) * fieldHeight + 4}" fill="var(--ink)">${store}</text>${workloads.map((workload, column) => field(store, workload, row, column))}`)}</svg></div>`,
  );
}
