import type { HostCpu } from '@topo-bench/host';
import { describe, expect, it } from 'vitest';
import { calibrationDesign, ratesFor } from '../../src/calibration/calibration-design.ts';
import { quietMachine } from '../../src/calibration/quiet-machine.ts';

const setting = { topology: 't.yaml', ratesRps: [20, 70, 160], oneCore: true };

describe('the design of a calibration', () => {
  it('has 18 cells, cells on one core, and two of an architecture that the fit does not see', () => {
    const parts = calibrationDesign({ ...setting, quick: false });
    expect(parts.map(({ name, heldOut, core }) => [name, heldOut, core])).toEqual([
      ['cells', false, undefined],
      ['one-core', false, 0],
      ['held-out', true, undefined],
    ]);
    const cellsOf = (factors: unknown): number =>
      Object.values(factors as Record<string, unknown[]>).reduce((product, levels) => product * levels.length, 1);
    expect(parts.map(({ experiment }) => cellsOf(experiment.factors))).toEqual([18, 6, 2]);
    expect(JSON.stringify(parts[0]?.experiment)).not.toContain('dynamic-router');
  });

  it('is smaller when quick, and never has a rate twice', () => {
    const parts = calibrationDesign({ ...setting, ratesRps: [20], quick: true });
    expect(parts.map(({ name }) => name)).toEqual(['cells', 'held-out']);
    expect(parts[0]?.experiment.factors).toMatchObject({ rate: [20] });
  });

  it('takes rates from the capacity of the machine, each above the one before', () => {
    expect(ratesFor(0.1)).toEqual([20, 130, 290]);
    expect(ratesFor(0.02)).toEqual([20, 650, 1400]);
    expect(ratesFor(3)).toEqual([20, 40, 60]);
  });
});

describe('the wait for a quiet machine', () => {
  /** One reading per window: the share that other programs used since the one before. */
  const machineOf = (shares: readonly number[]) => {
    let readings = 0;
    let programs = 0;
    return (): HostCpu => {
      const window = Math.ceil(readings / 2);
      if (readings % 2 === 1) programs += 1e12 * (shares[window - 1] ?? 0);
      const total = 1e12 * Math.ceil(readings / 2);
      readings++;
      return { total, idle: total - programs, stolen: 0, programs };
    };
  };
  const options = { maxForeignPercent: 10, maxSeconds: 0.05, windowMs: 10, signal: new AbortController().signal };

  it('ends with the first quiet window', async () => {
    const waits: number[] = [];
    const read = machineOf([0.5, 0.4, 0.05, 0.9]);
    const { foreignPercent } = await quietMachine({ ...options, read, onWait: (percent) => waits.push(percent) });
    expect(foreignPercent).toBeCloseTo(5, 0);
    expect(waits).toEqual([expect.closeTo(50, 0)]);
  });

  it('ends after its time with what is still used, and at once when interrupted', async () => {
    const busy = machineOf(Array(50).fill(0.6));
    expect((await quietMachine({ ...options, read: busy })).foreignPercent).toBeCloseTo(60, 0);
    const controller = new AbortController();
    controller.abort(new Error('interrupted'));
    await expect(quietMachine({ ...options, read: busy, signal: controller.signal })).rejects.toThrow('interrupted');
  });
});
