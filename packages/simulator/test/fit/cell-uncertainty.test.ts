import type { CalibrationFit, CellFigures } from '@topo-bench/core/schema/calibration';
import { describe, expect, it } from 'vitest';
import { distanceOf, modelSd, uncertaintyAround } from '../../src/fit/cell-uncertainty.ts';

const range: CalibrationFit['range'] = { hops: [4, 12], turnsPerSecond: [50, 500], busyShare: [0.05, 0.5] };
const cell = (heldOut: boolean, predictedUs: number) =>
  ({
    heldOut,
    measured: { medianUs: 100 },
    predicted: { medianUs: predictedUs },
  }) as unknown as CalibrationFit['cells'][number];
const medianUs = (figures: CellFigures): number => figures.medianUs;

describe('the uncertainty of a simulated cell', () => {
  it('has no distance within the calibrated range, and logarithms of how far it is outside', () => {
    expect(distanceOf({ hops: 12, turnsPerSecond: 50, busyShare: 0.2 }, range)).toBe(0);
    expect(distanceOf({ hops: 24, turnsPerSecond: 100, busyShare: 0.2 }, range)).toBeCloseTo(Math.log(2), 6);
    expect(distanceOf({ hops: 24, turnsPerSecond: 25, busyShare: 0.5 }, range)).toBeCloseTo(2 * Math.log(2), 6);
  });

  it('takes the larger error of held-out and fitted cells, and half as much again without held-out ones', () => {
    expect(modelSd({ cells: [cell(false, 110), cell(true, 50)] }, medianUs)).toBeCloseTo(1.4826 * Math.log(2), 4);
    expect(modelSd({ cells: [cell(false, 150), cell(true, 100)] }, medianUs)).toBeCloseTo(1.4826 * Math.log(1.5), 4);
    expect(modelSd({ cells: [cell(false, 110), cell(false, 110)] }, medianUs)).toBeCloseTo(
      1.5 * 1.4826 * Math.log(1.1),
      4,
    );
  });

  it('has intervals of 90% around the figures of a repetition, and none around a figure that is not finite', () => {
    const relative = {
      sd: { medianUs: 0.1, p95Us: 0.2, cpuUs: 0 },
      draws: 8,
      distance: 0,
      heldOutErrors: { cells: 0 },
    };
    const around = uncertaintyAround(relative, { medianUs: 1000, p95Us: 3000, cpuUs: 50 });
    expect(around?.medianUs.map(Math.round)).toEqual([848, 1179]);
    expect(around?.cpuUsPerRequest).toEqual([50, 50]);
    expect(uncertaintyAround(relative, { medianUs: 1000, p95Us: Number.POSITIVE_INFINITY, cpuUs: 50 })).toBeUndefined();
  });
});
