import { compareRuns } from '@topo-bench/comparison';
import { expect, it } from 'vitest';
import { runOf } from '../../comparison/test/fixtures/run-of.ts';
import { intervalsBySource, requireOneSource } from '../src/one-source.ts';

const times = [5000, 5100, 4900, 5050, 4950, 5020];
const measured = runOf([{ factors: { architecture: 'sidecar' }, mediansUs: times }]);
const simulated = runOf([
  {
    factors: { architecture: 'sidecar' },
    mediansUs: times.map((us) => 0.9 * us),
    change: (entry) => ({ ...entry, source: 'simulated' }),
  },
]);

it('refuses a measured and a simulated run, and names the way out', () => {
  expect(() => requireOneSource([measured, simulated], 'add --mix-sources')).toThrow(
    'one of the runs is measured and the other simulated',
  );
  expect(() => requireOneSource([measured, measured], '')).not.toThrow();
});

it('has the interval of each source, and none for runs of one source', () => {
  expect(intervalsBySource([measured, simulated], compareRuns(measured, simulated))).toEqual([
    'sidecar: measured 5.01 ms (95% 4.9 ms … 5.1 ms), simulated 4.51 ms (95% 4.41 ms … 4.59 ms)',
  ]);
  expect(intervalsBySource([measured, measured], compareRuns(measured, measured))).toEqual([]);
});

it('states that few repetitions have no interval', () => {
  const few = runOf([{ factors: { architecture: 'sidecar' }, mediansUs: times.slice(0, 2) }]);
  expect(intervalsBySource([few, simulated], compareRuns(few, simulated))).toEqual([
    'sidecar: measured 5.05 ms (interval unknown: got 2 repetitions, expected 6 or more), simulated 4.51 ms (95% 4.41 ms … 4.59 ms)',
  ]);
});
