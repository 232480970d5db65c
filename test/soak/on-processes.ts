/** A soak on real processes: each architecture in turn, a new deployment for each case. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Architecture } from '@topo-bench/core';
import { createRunner } from '@topo-bench/runners';
import { changedService, type SourceChange } from '../fixtures/changed-service.ts';
import { playOnProcesses } from './play-on-processes.ts';
import { type SoakOptions, type SoakResult, soak } from './soak.ts';
import { type SoakSizes, soakCase } from './soak-case.ts';

/** Fifty requests per second: two cores that others use too serve them, with time left for starts. */
const sizes: SoakSizes = {
  ...{ requests: 500, maxServices: 5, apartUs: 1.5e6 },
  ...{ deadlines: { hop: '1s', request: '3s' }, work: '200us' },
};

export async function soakOnProcesses(
  architecture: Architecture,
  options: Pick<SoakOptions, 'requests' | 'seed' | 'untilMs' | 'progress'>,
  broken: readonly SourceChange[] = [],
): Promise<SoakResult> {
  const folder = mkdtempSync(join(tmpdir(), 'topo-bench-soak-'));
  try {
    const runner = await createRunner('local', { serviceEntry: await changedService(folder, broken) });
    return await soak({
      ...options,
      shrinkMs: 0,
      draw: (seed) => {
        const one = soakCase(seed, { ...sizes, architecture });
        return { ...one, topology: { ...one.topology, framework: 'node' } };
      },
      play: (one) => playOnProcesses(one, { runner, logsDir: join(folder, 'logs') }),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
