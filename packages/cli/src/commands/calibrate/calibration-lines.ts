/** A calibration for a terminal: its errors, and each cell predicted and measured. */
import { counted, describeCell, formatUs } from '@topo-bench/core';
import type { Calibration, CalibrationFit, FitErrors, FittedCell } from '@topo-bench/core/schema/calibration';

export function calibrationLines({ machine, cores, fit }: Calibration): string[] {
  if (!fit) return [];
  return [
    `Calibration of ${machine}, ${counted(cores, 'core')}, from ${counted(fit.cells.length, 'cell')}`,
    ...disturbedLines(fit),
    '',
    'cell | measured → predicted: median, p95, CPU per request',
    ...fit.cells.map(cellLine),
    '',
    `error of fitted cells:   ${errorText(fit.fitErrors)}`,
    `error of held-out cells: ${errorText(fit.heldOutErrors)}`,
    `parameters: ${parameterCounts(fit)}`,
    '',
  ];
}

/** The sentence wherever a disturbed calibration is used. */
function disturbedText({ quietness: { disturbed, foreignPercent } }: CalibrationFit): string | undefined {
  if (!disturbed) return undefined;
  return `disturbed: other programs used up to ${Math.round(foreignPercent)}% of the processors while it was measured`;
}

function disturbedLines(fit: CalibrationFit): string[] {
  const text = disturbedText(fit);
  return text === undefined ? [] : [`${text}; its figures and errors are no statement on this machine`];
}

function cellLine({ factors, cores, heldOut, measured, predicted, foreignPercent }: FittedCell): string {
  const both = (name: 'medianUs' | 'p95Us' | 'cpuUs'): string => {
    const off = Math.round(100 * (predicted[name] / measured[name] - 1));
    return `${formatUs(measured[name])} → ${formatUs(predicted[name])} (${off >= 0 ? '+' : ''}${off}%)`;
  };
  const marks = [
    ...(heldOut ? ['held out'] : []),
    ...((foreignPercent ?? 0) > 10 ? [`foreign ${Math.round(foreignPercent ?? 0)}%`] : []),
  ];
  const end = marks.length === 0 ? '' : ` · ${marks.join(' · ')}`;
  return `${describeCell(factors)}, ${counted(cores, 'core')} | ${both('medianUs')} · ${both('p95Us')} · ${both('cpuUs')}${end}`;
}

function errorText({ cells, medianPercent, p95Percent, cpuPercent }: FitErrors): string {
  if (cells === 0 || medianPercent === undefined) return 'unknown: there were none';
  const percent = (value = 0): string => `${value.toFixed(0)}%`;
  return `median ${percent(medianPercent)} · p95 ${percent(p95Percent)} · CPU ${percent(cpuPercent)} (${counted(cells, 'cell')})`;
}

function parameterCounts({ parameters }: CalibrationFit): string {
  const of = (source: string): number => parameters.filter((parameter) => parameter.source === source).length;
  return `${of('fitted')} fitted, ${of('direct')} read from records, ${of('assumed')} assumed`;
}
