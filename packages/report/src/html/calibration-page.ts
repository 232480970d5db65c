/** The page of a calibration: each cell measured and predicted, the errors of the fit, and its parameters. */
import { basename } from 'node:path';
import { counted, describeCell, formatUs } from '@topo-bench/core';
import type { Calibration, CalibrationFit, CellFigures, FittedCell } from '@topo-bench/core/schema/calibration';
import { heldOutText } from '../calibration-table.ts';
import type { BoxPlot } from '../model/box-plot.ts';
import { scaleFor } from '../scale.ts';
import { axisRow, boxRow } from './box-row.ts';
import { dataTable } from './data-table.ts';
import { htmlDocument } from './document.ts';
import { html, type Markup } from './safe-html.ts';
import { type Section, section } from './section.ts';
import { readableTime } from './sections/provenance-section.ts';

export function calibrationPage({ name, machine, cores, fit }: Calibration & { fit: CalibrationFit }): string {
  const cells = worstFirst(fit.cells);
  const sections = [distributions(cells), errorsOfCells(cells), parametersOf(fit)];
  const { disturbed, foreignPercent } = fit.quietness;
  return htmlDocument({
    title: `${name}: calibration of topo-bench`,
    eyebrow: 'topo-bench calibration',
    heading: name,
    meta: html`${readableTime(fit.date)} · ${machine}, ${counted(cores, 'core')} · ${counted(cells.length, 'cell')}`,
    remarks: [
      html`<p class="warning"><b>${heldOutText(fit.heldOutErrors)}</b></p>`,
      disturbed &&
        html`<p class="warning"><b>Other programs used up to ${Math.round(foreignPercent)}% of the processors while it was measured. Its figures and errors are no statement on this machine.</b></p>`,
    ],
    sections,
    main: sections.map(({ body }) => body),
    footer: `Made from the calibration alone, by topo-bench ${fit.topoBench}. Its runs: ${fit.runs.map((run) => basename(run)).join(', ')}.`,
  });
}

/** Held-out cells first, and among equals the largest error of the median. */
function worstFirst(cells: readonly FittedCell[]): FittedCell[] {
  const error = ({ measured, predicted }: FittedCell): number =>
    Math.abs(Math.log(predicted.medianUs / measured.medianUs));
  return cells.toSorted((a, b) => Number(b.heldOut) - Number(a.heldOut) || error(b) - error(a));
}

function distributions(cells: readonly FittedCell[]): Section {
  const scale = scaleFor(
    cells.flatMap(({ measured, predicted }) => [measured, predicted]).flatMap((of) => [of.q1Us, of.p95Us]),
  );
  // As `chartTables`, with two rows for each cell in place of one for each level.
  const row = (label: string, colour: string, figures: CellFigures): Markup =>
    html`<tr class="${colour}"><th scope="row"><i class="swatch"></i>${label}</th><td class="strip">${boxRow(boxOf(figures), scale, '', undefined)}</td><td class="number">${(figures.medianUs / 1000).toPrecision(3)}</td></tr>`;
  return section(
    'distributions',
    'Round-trip times, measured and predicted',
    'Boxes are quartiles and the median, whiskers end at p95. Held-out cells come first, each group with its worst cell first.',
    html`<div class="panels single"><div class="panel"><table class="chart"><thead><tr><th scope="col"></th><th scope="col"><span class="quiet">RTT, ${scale.kind} axis</span></th><th scope="col" class="number">median ms</th></tr></thead>
${cells.map((cell) => html`<tbody><tr class="group"><th scope="rowgroup" colspan="3">${cellName(cell)}</th></tr>${row('measured', 'k-0', cell.measured)}${row('predicted', 'k-1', cell.predicted)}</tbody>`)}
<tfoot><tr aria-hidden="true" class="axis-line"><td></td><td class="strip">${axisRow(scale, '')}</td><td></td></tr></tfoot></table></div></div>`,
  );
}

function boxOf({ q1Us, medianUs, q3Us, p95Us }: CellFigures): BoxPlot {
  return {
    ...{ from: 'summaries', count: 0, unfinished: 0, outliersUs: [], outliers: 0, repetitionMediansUs: [] },
    ...{ lowUs: q1Us, q1Us, medianUs, q3Us, highUs: Math.max(q3Us, p95Us) },
  };
}

/** An error of the median that CPU time explains is one of service times; the rest is one of waits. */
function errorsOfCells(cells: readonly FittedCell[]): Section {
  const rows = cells.map((cell) => {
    const { measured, predicted, busyShare, foreignPercent } = cell;
    const ratio = (of: (figures: CellFigures) => number): number => of(predicted) / of(measured);
    const [median, cpu] = [ratio(({ medianUs }) => medianUs), ratio(({ cpuUs }) => cpuUs)];
    return [
      cellName(cell),
      formatUs(measured.medianUs),
      ...[
        ratio(({ q1Us }) => q1Us),
        median,
        ratio(({ q3Us }) => q3Us),
        ratio(({ p95Us }) => p95Us),
        cpu,
        median / cpu,
      ].map(signedPercent),
      signedPercent(ratio(({ waitUs = Number.NaN }) => waitUs)),
      `${Math.round(100 * busyShare)}%`,
      foreignPercent === undefined ? '–' : `${Math.round(foreignPercent)}%`,
    ];
  });
  const headings = ['RTT median', 'q1', 'median', 'q3', 'p95', 'CPU', 'waits', 'run-queue wait', 'busy', 'foreign'];
  return section(
    'errors',
    'Errors of the fit',
    'Predicted against measured. CPU is the part of service times. Waits: what of the error of the median CPU time does not explain.',
    dataTable(
      'Errors of the fit',
      [{ heading: 'cell' }, ...headings.map((heading) => ({ heading, number: true }))],
      rows,
    ),
  );
}

function parametersOf({ parameters }: CalibrationFit): Section {
  const rows = parameters.map(({ name, value, logSd, source }) => [
    name,
    Number(value.toPrecision(3)).toString(),
    `${Math.round(100 * logSd)}%`,
    source,
  ]);
  return section(
    'parameters',
    'Parameters',
    'The spread is the standard deviation of the logarithm; of stay and pull, of the logit. Assumed: the cells did not narrow it.',
    dataTable(
      'Parameters',
      [
        { heading: 'parameter' },
        { heading: 'value', number: true },
        { heading: 'spread', number: true },
        { heading: 'source' },
      ],
      rows,
    ),
  );
}

function cellName({ factors, cores, heldOut }: FittedCell): string {
  return `${describeCell(factors)}, ${counted(cores, 'core')}${heldOut ? ', held out' : ''}`;
}

function signedPercent(ratio: number): string {
  if (!Number.isFinite(ratio)) return '–';
  const percent = Math.round(100 * (ratio - 1));
  return `${percent >= 0 ? '+' : '−'}${Math.abs(percent)}%`;
}
