/** A finished run as an answer: figures with interval and validity, their source, and the command that repeats them. */
import { type CellComparison, compareWithin, type RunComparison } from '@topo-bench/comparison';
import { cellKey, type RunFolder, shellLine, TopoBenchError } from '@topo-bench/core';
import type { Cell, FactorLevels } from '@topo-bench/core/schema/result';
import { simulatedText } from '@topo-bench/report';
import { median, medianInterval } from '@topo-bench/stats';
import { studyMetrics } from '@topo-bench/studies';
import type { Run } from '@topo-bench/workbench';

export async function runAnswer(run: Run): Promise<object> {
  const { folder, record, cells } = run;
  const finished: RunFolder = { folder, record, cells: [...cells] };
  const report = await run.report();
  return {
    answer: report.study.answer?.() ?? [],
    ...sourceOf([finished]),
    validity: validityOf(finished.cells),
    cells: record.plannedCells.map((factors) => cellFigures(factors, finished)),
    comparison: architecturesOf(finished),
    runDir: folder,
    command: shellLine(['topo-bench', ...record.command]),
  };
}

/** Whether figures were measured; of simulated ones, what they stand for and how far they may be off. */
export function sourceOf(runs: readonly RunFolder[]): object {
  const sources = [...new Set(runs.flatMap(({ cells }) => cells.map(({ source }) => source)))];
  const simulation = simulatedText(runs);
  const assumed = runs.some(({ record }) => record.simulation?.assumed);
  const error = assumed ? 'unknown: the calibration is assumed, and no cell was held out' : undefined;
  const source = sources.join(' and ');
  if (simulation === undefined) return { source };
  const fitted = runs.flatMap(({ cells }) => cells).find(({ calibrationUncertainty }) => calibrationUncertainty);
  const confidence = fitted?.calibrationUncertainty?.confidence;
  return {
    ...{ source, simulation, ...(error && { error }) },
    intervals: [
      'interval95Ms of simulated figures is of their repetitions, predicted95Ms of all replications: without the error of the calibration',
      ...(confidence === undefined
        ? []
        : [`withCalibrationMs has that error, with a confidence of ${100 * confidence}%`]),
    ],
  };
}

export function validityOf(cells: readonly Cell[]): object {
  const invalid = cells.filter(({ validity }) => !validity.valid);
  const reasons = [...new Set(invalid.flatMap(({ validity }) => validity.reasons))].slice(0, 5);
  return { valid: cells.length - invalid.length, repetitions: cells.length, reasons };
}

function cellFigures(factors: FactorLevels, { cells }: RunFolder): object {
  const own = cells.filter((cell) => cellKey(cell.factors) === cellKey(factors));
  const valid = own.filter(({ validity }) => validity.valid);
  // They belong to the cell, so they are equal in its repetitions.
  const [{ prediction, calibrationUncertainty: uncertainty } = {}] = own as Partial<Cell>[];
  const figure = (name: 'medianUs' | 'p95Us'): object => {
    const values = valid.map(({ rtt }) => rtt[name]).filter((value) => !Number.isNaN(value));
    return {
      medianMs: ms(median(values)),
      interval95Ms: medianInterval(values, 0.05).map(ms),
      ...(prediction?.[name] && { predicted95Ms: prediction[name].map(ms) }),
      ...(uncertainty && { withCalibrationMs: uncertainty[name].map(ms) }),
    };
  };
  return {
    factors,
    ...validityOf(own),
    ...(prediction && { state: prediction.state, bottleneck: prediction.bottleneck, maxRps: prediction.maxRps }),
    rttMedian: figure('medianUs'),
    rttP95: figure('p95Us'),
    wrongDecisions: own.reduce((sum, { decisions }) => sum + decisions.wrong, 0),
  };
}

/** Three digits of a time; null for an end that is not known. */
function ms(us: number): number | null {
  return Number.isFinite(us) ? Number((us / 1e3).toPrecision(4)) : null;
}

function architecturesOf(run: RunFolder): object[] {
  try {
    return comparisonCells(compareWithin(run, 'architecture', { metric: 'rtt.median', metrics: studyMetrics }));
  } catch (error) {
    if (error instanceof TopoBenchError) return [];
    throw error;
  }
}

export function comparisonCells({ cells }: RunComparison): object[] {
  return cells.map((cell: CellComparison) => {
    const { factors, metric, differencePercent, intervalPercent, verdict, reason, repetitions, source } = cell;
    return {
      ...{ factors, metric, verdict, ...(reason !== undefined && { reason }) },
      differencePercent: percent(differencePercent),
      interval95Percent: intervalPercent.map(percent),
      repetitions: [repetitions.baseline.used, repetitions.candidate.used],
      source: [source.baseline, source.candidate],
    };
  });
}

function percent(value: number): number | null {
  return Number.isFinite(value) ? Number(value.toPrecision(3)) : null;
}
