import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRunner } from '../../src/index.ts';
import type { Deployment } from '../../src/runner.ts';
import { sidecarChain } from '../fixtures/sidecar-chain.ts';

/** The entry that users run, started by its path; `npm test` builds it first. */
const serviceEntry = fileURLToPath(new URL('../../../cli/dist/service.cjs', import.meta.url));
let logsDir: string;
let deployment: Deployment | undefined;

beforeEach(async () => {
  if (!existsSync(serviceEntry)) throw new Error('the service entry is not built: run npm run setup');
  logsDir = await mkdtemp(join(tmpdir(), 'topo-bench-built-'));
});
afterEach(async () => {
  await deployment?.stop();
  await rm(logsDir, { recursive: true, force: true });
});

test.each(['fastify', 'express', 'node'] as const)(
  'a chain with sidecars on %s takes a request through all of its services',
  async (framework) => {
    const runner = await createRunner('local', { serviceEntry });
    const { plan, configure } = sidecarChain(3, framework);
    deployment = await runner.start(plan, configure, { logsDir });
    await deployment.reset();
    const answer = await fetch(`${deployment.gatewayUrl}/requests`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        class: 'c',
        origin: 'eu',
        categories: [],
        consents: [],
        purpose: 'contract',
        payload: {},
      }),
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ outcome: 'completed', hops: 7 });
    const stats = await deployment.stats();
    expect(stats.map(({ kind, served }) => [kind, served])).toEqual([
      ['gateway', 1],
      ...Array(3).fill(['sidecar', 1]),
      ...Array(3).fill(['service', 1]),
    ]);
    for (const { cpuUs, rssBytes } of stats) expect(Math.min(cpuUs, rssBytes)).toBeGreaterThan(0);
  },
);
