import { expect, it, vi } from 'vitest';
import { measuredRun } from './fixtures/measured-run.ts';
import { canSeeProcesses } from './fixtures/processes.ts';
import { temporaryFolder, writeSmallFiles } from './fixtures/small-files.ts';
import { topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 240_000 });

const slow = `apiVersion: topo-bench/v1
kind: Experiment
name: cpu
topology: topology.yaml
factors: { architecture: [sidecar] }
repetitions: 1
load: { rate: 1, arrivals: constant }
duration: 15s
drain: 10s
warmup: { requests: 1000, window: 1s, max: 15s }
`;

// V8's memory reducer collects the whole heap some 8 s after the warm-up. Requests at 1 per second would then pay for
// the garbage of the warm-up. The count of collections depends on no other program, CPU time does.
it.skipIf(!canSeeProcesses)('requests at 1 per second pay for none of the garbage of the warm-up', async () => {
  const folder = temporaryFolder();
  const { 'experiment.yaml': experiment } = writeSmallFiles(folder, (name, text) =>
    name === 'experiment.yaml' ? slow : text.replace(/^.*name: private.*\n/m, ''),
  );
  const { cells } = await measuredRun(topoBench(['run', experiment, '--out', 'out', '--json'], { cwd: folder }));
  const [{ outcomes, cpuUsPerRequest, processes, resources }] = cells;
  expect(outcomes.completed).toBe(15);
  for (const role of ['gateway', 'sidecar', 'service']) {
    expect(processes?.[role]?.servedBefore?.min, role).toBeGreaterThanOrEqual(500);
    expect(processes?.[role]?.collections?.major.count, role).toBe(0);
    expect(cpuUsPerRequest[role], role).toBeGreaterThan(0);
    expect(resources[role]?.idleCpuPercent, role).toBeLessThan(1);
    expect(processes?.[role]?.mainThread?.slices, role).toBeGreaterThan(0);
  }
});
