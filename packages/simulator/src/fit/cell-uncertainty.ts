/**
 * How far the simulated figures of a cell may be off. Three parts, as standard deviations of logarithms: replication
 * and parameters, from simulations with drawn parameters, and the model, from its error on held-out cells, which counts
 * the more the further the cell is from the calibrated range.
 */
import { exponential, naturalLog, randomStream } from '@topo-bench/core';
import type { Calibration, CalibrationFit, CellFigures } from '@topo-bench/core/schema/calibration';
import type { CalibrationUncertainty } from '@topo-bench/core/schema/result';
import { median } from '@topo-bench/stats';
import { figuresOf, type LoadOnCell, loadOnCell, type ModelledCell, replicationUnder } from './cell-figures.ts';
import { drawnModel } from './draws.ts';

/** The quantile of a normal law for 90%. */
const reach = 1.645;
const confidence = 0.9;
const draws = 8;
/** Requests of each draw: fewer than a repetition has, so intervals are rather too wide. And fewer for many hops. */
const drawnRequests = { min: 40, max: 400, hops: 20_000 };
/** Standard deviation of a normal law over the median of its absolute value. */
const sdPerMedianError = 1.4826;

/** The part of the uncertainty that is the same for all repetitions of a cell. */
export interface RelativeUncertainty
  extends Pick<CalibrationUncertainty, 'draws' | 'distance' | 'heldOutErrors' | 'disturbed'> {
  sd: { medianUs: number; p95Us: number; cpuUs: number };
}

/**
 * @param hops per request
 * @param pause called between simulations; ends it by rejecting
 */
export async function relativeUncertainty(
  cell: ModelledCell,
  { demand, fit }: Pick<Calibration, 'demand'> & { fit: CalibrationFit },
  hops: number,
  pause: () => Promise<void> = async () => undefined,
): Promise<RelativeUncertainty> {
  const { min, max } = drawnRequests;
  const requests = Math.round(Math.min(max, Math.max(min, drawnRequests.hops / Math.max(1, hops))));
  const base = replicationUnder(cell, demand, requests);
  const distance = distanceOf({ ...loadOnCell(cell, base), hops }, fit.range);
  const random = randomStream(cell.setup.repetition, 'calibration draws', 0);
  const { deployment, setup } = cell;
  const drawn: CellFigures[] = [];
  while (drawn.length < draws) {
    await pause();
    // Each with noise of its own.
    const other = { deployment, setup: { ...setup, repetition: setup.repetition + 1000 * (drawn.length + 1) } };
    drawn.push(figuresOf(deployment, replicationUnder(other, drawnModel(demand, fit, random), requests)));
  }
  const sdOf = (figure: (figures: CellFigures) => number): number => {
    return Math.hypot(logSpread(drawn.map(figure)), modelSd(fit, figure) * (1 + distance));
  };
  return {
    sd: {
      medianUs: sdOf(({ medianUs }) => medianUs),
      p95Us: sdOf(({ p95Us }) => p95Us),
      cpuUs: sdOf(({ cpuUs }) => cpuUs),
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

/**
 * Standard deviation of the logarithm of predicted / measured. That of held-out cells, or of fitted ones where it is
 * larger, since one cell can be met by chance. Without held-out cells: of fitted ones, half as much again.
 */
export function modelSd({ cells }: Pick<CalibrationFit, 'cells'>, figure: (figures: CellFigures) => number): number {
  const sdOf = (heldOut: boolean): number => {
    const logs = cells
      .filter((cell) => cell.heldOut === heldOut)
      .map(({ measured, predicted }) => Math.abs(naturalLog(figure(predicted) / figure(measured))));
    return logs.length === 0 ? 0 : sdPerMedianError * median(logs.filter(Number.isFinite));
  };
  const fitted = sdOf(false);
  return cells.some(({ heldOut }) => heldOut) ? Math.max(sdOf(true), fitted) : 1.5 * fitted;
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
