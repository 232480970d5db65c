/**
 * How far the simulated figures of a cell may be off. Three parts, as standard deviations of logarithms: replication
 * and parameters, from simulations with drawn parameters, and the model, from its error on held-out cells, which counts
 * the more the further the cell is from the calibrated range.
 */
import { exponential, naturalLog, randomStream } from '@topo-bench/core';
import type { Calibration, CalibrationFit, CellFigures } from '@topo-bench/core/schema/calibration';
import type { CalibrationUncertainty } from '@topo-bench/core/schema/result';
import {
  drawnModel,
  figuresOf,
  type LoadOnCell,
  loadOnCell,
  type ModelledCell,
  replicationUnder,
} from '@topo-bench/simulator/fit';

/** The quantile of a normal law for 90%. */
const reach = 1.645;
const confidence = 0.9;
const draws = 8;
/** Requests of each draw. Fewer than a repetition has: many cells take seconds, and intervals are rather too wide. */
const requests = 400;
/** Standard deviation of a normal law over the median of its size. */
const sdPerMedianError = 1.4826;

/** The part of the uncertainty that is the same for all repetitions of a cell. */
export interface RelativeUncertainty
  extends Pick<CalibrationUncertainty, 'draws' | 'distance' | 'heldOutErrors' | 'disturbed'> {
  sd: { medianUs: number; p95Us: number; cpuUs: number };
}

/** @param hops per request */
export function relativeUncertainty(
  cell: ModelledCell,
  { demand, fit }: Calibration & { fit: CalibrationFit },
  hops: number,
): RelativeUncertainty {
  const base = replicationUnder(cell, demand, requests);
  const distance = distanceOf({ ...loadOnCell(cell, base), hops }, fit.range);
  const random = randomStream(cell.setup.repetition, 'calibration draws', 0);
  const drawn = Array.from({ length: draws }, (_, draw): CellFigures => {
    // Each with noise of its own.
    const { deployment, setup } = cell;
    const other = { deployment, setup: { ...setup, repetition: setup.repetition + 1000 * (draw + 1) } };
    return figuresOf(deployment, replicationUnder(other, drawnModel(demand, fit, random), requests));
  });
  const { medianPercent, p95Percent, cpuPercent } = modelErrors(fit);
  const sdOf = (figure: (figures: CellFigures) => number, percent = 0): number => {
    const model = ((sdPerMedianError * percent) / 100) * (1 + distance);
    return Math.hypot(logSpread(drawn.map(figure)), model);
  };
  return {
    sd: {
      medianUs: sdOf(({ medianUs }) => medianUs, medianPercent),
      p95Us: sdOf(({ p95Us }) => p95Us, p95Percent),
      cpuUs: sdOf(({ cpuUs }) => cpuUs, cpuPercent),
    },
    ...{ draws, distance, heldOutErrors: fit.heldOutErrors },
    ...(fit.quietness.disturbed && { disturbed: true as const }),
  };
}

/** The intervals around the figures of a repetition. */
export function uncertaintyAround(
  { sd, ...shared }: RelativeUncertainty,
  figures: { medianUs: number; p95Us: number; cpuUs: number },
): CalibrationUncertainty | undefined {
  const around = (name: keyof typeof sd): [number, number] => {
    const factor = exponential(reach * sd[name]);
    return [figures[name] / factor, figures[name] * factor];
  };
  const intervals = { medianUs: around('medianUs'), p95Us: around('p95Us'), cpuUsPerRequest: around('cpuUs') };
  if (!Object.values(intervals).flat().every(Number.isFinite)) return undefined;
  return { confidence, ...intervals, ...shared };
}

/** Without held-out cells: those of the fit, which flatter, half as much again. */
function modelErrors({ heldOutErrors, fitErrors }: CalibrationFit): {
  medianPercent: number;
  p95Percent: number;
  cpuPercent: number;
} {
  const [errors, factor] = heldOutErrors.cells > 0 ? [heldOutErrors, 1] : [fitErrors, 1.5];
  const { medianPercent = 20, p95Percent = 40, cpuPercent = 20 } = errors;
  // One cell can be met by chance.
  const atLeast = (percent: number, fitted = 0): number => Math.max(factor * percent, fitted);
  return {
    medianPercent: atLeast(medianPercent, fitErrors.medianPercent),
    p95Percent: atLeast(p95Percent, fitErrors.p95Percent),
    cpuPercent: atLeast(cpuPercent, fitErrors.cpuPercent),
  };
}

/** Sum over hops, turns per second and busy share of the logarithms by which a cell is outside of the range; from 0. */
export function distanceOf(at: LoadOnCell & { hops: number }, range: CalibrationFit['range']): number {
  return (['hops', 'turnsPerSecond', 'busyShare'] as const).reduce((sum, name) => {
    const [low, high] = range[name];
    const value = Math.max(1e-6, at[name]);
    if (value < low) return sum + naturalLog(low / value);
    return value > high && high > 0 ? sum + naturalLog(value / high) : sum;
  }, 0);
}

/** Sample standard deviation of the logarithms. */
function logSpread(values: readonly number[]): number {
  const logs = values.filter((value) => value > 0 && Number.isFinite(value)).map(naturalLog);
  if (logs.length < 2) return 0;
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length;
  return Math.sqrt(logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (logs.length - 1));
}
