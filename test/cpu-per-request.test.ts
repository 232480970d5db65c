import { join } from 'node:path';
import type { Cell } from '@topo-bench/core/schema/result';
import { expect, it, vi } from 'vitest';
import { canSeeProcesses } from './fixtures/processes.ts';
import { temporaryFolder, writeSmallFiles } from './fixtures/small-files.ts';
import { topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 180_000 });

const manyProcesses = `apiVersion: topo-bench/v1
kind: Experiment
name: cpu
topology: topology.yaml
set: { services: [{ generate: 8 }] }
factors: { architecture: [sidecar], rate: [1, 60] }
repetitions: 1
deploy: round
load: { arrivals: constant }
duration: 12s
drain: 5s
warmup: { requests: 1000, window: 1s, max: 15s }
`;

// The window began before the generators were started and ended after the results were collected; with the garbage of the warm-up, which V8 collected
// in the meantime, a request at 1 req/s cost more than twice what it costs at 60.
it.skipIf(!canSeeProcesses)(
  'charges a request the same CPU time at 1 as at 60 requests per second, in 17 processes',
  async () => {
    const folder = temporaryFolder();
    const { 'experiment.yaml': experiment } = writeSmallFiles(folder, (name, text) =>
      name === 'experiment.yaml' ? manyProcesses : text.replace(/^.*name: private.*\n/m, ''),
    );
    const { stdout } = await topoBench(['run', experiment, '--out', join(folder, 'out'), '--json'], { cwd: folder });
    const { cells } = JSON.parse(stdout) as { cells: Cell[] };
    const at = (rate: number): Cell => cells.find(({ factors }) => factors.rate === rate) as Cell;
    const [slow, fast] = [at(1), at(60)];
    expect([slow.outcomes.completed, fast.outcomes.completed]).toEqual([12, 720]);
    for (const role of ['gateway', 'sidecar', 'service', 'total']) {
      const ratio = (slow.cpuUsPerRequest[role] as number) / (fast.cpuUsPerRequest[role] as number);
      // Caches are cold and clocks slow at 1 req/s; neighbours on the same cores add their share.
      expect(ratio, role).toBeLessThan(1.75);
      expect(ratio, role).toBeGreaterThan(0.5);
    }
    for (const role of ['gateway', 'sidecar', 'service']) {
      expect(slow.resources[role]?.idleCpuPercent, role).toBeLessThan(1);
      expect(slow.processes?.[role]?.mainThread?.slices, role).toBeGreaterThan(0);
    }
  },
);
