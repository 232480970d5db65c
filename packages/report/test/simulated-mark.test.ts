import { expect, it } from 'vitest';
import { simulatedMark } from '../src/simulated-mark.ts';

it('the mark has the error on the held-out cells of the calibration', () => {
  const heldOutErrors = { cells: 4, medianPercent: 7.6, p95Percent: 20, cpuPercent: 3 };
  const fit = { cells: [{}, {}], heldOutErrors } as NonNullable<Parameters<typeof simulatedMark>[0]['fit']>;
  expect(simulatedMark({ name: 'own', assumed: false, fit })).toBe(
    'simulated · own, fitted to 2 cells: missed the median of held-out cells by 8%',
  );
  expect(simulatedMark({ name: 'rough', assumed: true })).toBe('simulated · rough: assumed, error unknown');
});
