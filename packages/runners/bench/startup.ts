/**
 * How long 50 services with their sidecars and the gateway take until the first request has passed through every one of
 * them, next to as many bare `node:http` processes in the same shape, in turns; and how much memory the roles hold.
 *
 * `npm run bench:startup -- [--json] [--rounds 7] [--services 50] [--frameworks fastify,node] [--requests 300]`
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Framework } from '@topo-bench/core/schema/topology';
import { type Deployment, localRunner } from '@topo-bench/runners';
import { bundleBareHop, processesOf, startBare } from './bare-start.ts';
import { type SidecarChain, sidecarChain } from './hundred-roles.ts';
import { firstRequest, load } from './short-load.ts';
import { type Memory, type Round, report } from './startup-report.ts';

const { values: flags } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '7' },
    services: { type: 'string', default: '50' },
    frameworks: { type: 'string', default: 'fastify,node' },
    requests: { type: 'string', default: '300' },
    concurrency: { type: 'string', default: String(2 * availableParallelism()) },
  },
});
const serviceEntry = fileURLToPath(new URL('../../cli/dist/service.cjs', import.meta.url));
const frameworks = flags.frameworks.split(',') as Framework[];
const services = Number(flags.services);
const chains = new Map(frameworks.map((framework) => [framework, sidecarChain(services, framework)]));
const concurrency = Number(flags.concurrency);
const folder = await mkdtemp(join(tmpdir(), 'topo-bench-startup-'));
const bareHop = await bundleBareHop(folder);

function startRoles(framework: Framework): Promise<Deployment> {
  const { plan, configure } = chains.get(framework) as SidecarChain;
  return localRunner({ serviceEntry, concurrency }).start(plan, configure, { logsDir: folder });
}

/** @returns milliseconds until the first request through every hop has been answered */
async function timed(start: () => Promise<{ gatewayUrl: string; stop(): Promise<void> }>): Promise<number> {
  const startedMs = performance.now();
  const started = await start();
  await firstRequest(started.gatewayUrl);
  const elapsedMs = performance.now() - startedMs;
  await started.stop();
  // The kernel reclaims the memory of a hundred processes after their end; the next start must not pay for it.
  await sleep(500);
  return elapsedMs;
}

/** One start of each kind; the order turns from round to round, so that what drifts hits all alike. */
async function measureRound(round: number): Promise<Round> {
  const times: Round = {};
  const kinds = ['bare', ...frameworks] as const;
  for (let i = 0; i < kinds.length; i++) {
    const kind = kinds[(i + round) % kinds.length] as (typeof kinds)[number];
    times[kind] = await timed(() => (kind === 'bare' ? startBare(bareHop, services, concurrency) : startRoles(kind)));
  }
  return times;
}

async function measureMemory(framework: Framework): Promise<Memory> {
  const deployment = await startRoles(framework);
  const largestMb = async (): Promise<number | null> => {
    const sizes = (await deployment.usage({ pss: true })).flatMap(({ pssBytes }) => pssBytes ?? []);
    return sizes.length > 0 ? Math.max(...sizes) / 1024 ** 2 : null;
  };
  try {
    await firstRequest(deployment.gatewayUrl);
    const readyMb = await largestMb();
    await load(deployment.gatewayUrl, Number(flags.requests), 16);
    return { readyMb, loadedMb: await largestMb() };
  } finally {
    await deployment.stop();
  }
}

try {
  // The first start on a machine compiles everything and writes the code cache; it is not part of any figure.
  for (const framework of frameworks) await timed(() => startRoles(framework));
  const memory: Record<string, Memory> = {};
  for (const framework of frameworks) memory[framework] = await measureMemory(framework);
  const rounds: Round[] = [];
  for (let round = 0; round < Number(flags.rounds); round++) {
    const times = await measureRound(round);
    rounds.push(times);
    console.error(
      Object.entries(times)
        .map(([kind, ms]) => `${kind} ${ms.toFixed(0)} ms`)
        .join(', '),
    );
  }
  const result = report({ processes: processesOf(services), frameworks, rounds, memory });
  console.log(flags.json ? JSON.stringify(result.json) : result.text);
} finally {
  await rm(folder, { recursive: true, force: true });
}
