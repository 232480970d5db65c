/** The capacity of the hosts limits what is deployed at once, and enters the estimate of a run. */
import { TopoBenchError } from '@topo-bench/core';
import { groupNames, resolveExperiment } from '@topo-bench/experiment';
import { studies } from '@topo-bench/studies';
import { describe, expect, it } from 'vitest';
import { measuredBackend } from '../src/measured-backend.ts';
import { bytesPerProcess } from '../src/process-limit.ts';
import { effortOf, estimateOf } from './fixtures/estimates.ts';

const grid = (deploy: string) =>
  resolveExperiment(
    {
      experiment: {
        file: 'test.yaml',
        text: `apiVersion: topo-bench/v1
kind: Experiment
name: test
topology: chain.yaml
factors: { architecture: [none, sidecar], services: [2, 4, 8], rate: [10, 20] }
seed: 7
deploy: ${deploy}
duration: 3s
`,
      },
      topology: {
        file: 'chain.yaml',
        text: 'apiVersion: topo-bench/v1\nkind: Topology\nname: chain\nservices: [{ generate: 4 }]\n',
      },
      choices: {},
    },
    studies,
  );

describe('a plan of rounds', () => {
  it('is limited and estimated by the hosts of its runner, not by this machine', async () => {
    const resolved = grid('interleaved');
    // Seven tenths of 48 processes' memory: the 48 roles of all levels do not fit.
    const [small, large] = [48, 100].map((processes) => ({ cores: 64, memoryBytes: processes * bytesPerProcess }));
    const groupsOn = async (capacity: typeof small) =>
      new Set(groupNames(resolved.cells, await effortOf(resolved, capacity)).values()).size;
    expect([await groupsOn(small), await groupsOn(large)]).toEqual([2, 1]);
    const secondsOn = async (cores: number) => (await estimateOf(resolved, { cores, memoryBytes: 2 ** 40 })).seconds;
    expect(await secondsOn(64)).toBeLessThan(await secondsOn(2));
  });

  it('counts a runner without an answer as this machine, and leaves the cause to its check', async () => {
    const { cells } = grid('interleaved');
    const silent = measuredBackend({
      studies,
      runnerNamed: () => Promise.reject(new TopoBenchError('TB_RUNNER_CANNOT_START', '')),
      logsDir: 'none',
    });
    const here = await effortOf(grid('interleaved'));
    const effort = await silent.effortOf(cells);
    expect(cells.map(effort.maxProcessesOf)).toEqual(cells.map(here.maxProcessesOf));
  });

  it('is estimated with all processes at once and the gaps between turns', async () => {
    const [fresh, interleaved] = [await estimateOf(grid('fresh')), await estimateOf(grid('interleaved'))];
    expect(fresh.processes).toBe(17);
    expect(interleaved.processes).toBe(48);
    // Six slices of 500 ms with a gap of 100 ms each.
    const longer = await estimateOf(grid('interleaved\nturns: { slice: 500ms, gap: 600ms }'));
    expect(longer.seconds - interleaved.seconds).toBeCloseTo(12 * 5 * 6 * 0.5, 6);
  });
});
