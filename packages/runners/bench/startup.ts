/**
 * How long 50 services with their sidecars and the gateway take until all have answered their health check, beside as many
 * bare `node:http` processes, in turns; and how much memory they hold when ready and after a short load.
 *
 * `npm run bench:startup -- [--json] [--rounds 7] [--services 50] [--framework fastify] [--requests 400]`
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Framework } from '@topo-bench/core/schema/topology';
import { localRunner } from '@topo-bench/runners/local/runner';
import { startBare } from './bare-start.ts';
import { sidecarConfigs } from './hundred-roles.ts';
import { proportionalSetSizesMb } from './proportional-set-size.ts';
import { load } from './short-load.ts';

const mostRatio = 1.3;
const mostMbReady = 30;
const mostMbLoaded = 60;

const { values: flags } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '7' },
    services: { type: 'string', default: '50' },
    framework: { type: 'string', default: 'fastify' },
    requests: { type: 'string', default: '400' },
    concurrency: { type: 'string', default: String(2 * availableParallelism()) },
  },
});
const serviceEntry = fileURLToPath(new URL('../../cli/dist/service.cjs', import.meta.url));
const configs = sidecarConfigs(Number(flags.services), flags.framework as Framework);
const concurrency = Number(flags.concurrency);
const logsDir = await mkdtemp(join(tmpdir(), 'topo-bench-startup-'));

interface Round {
  rolesMs: number;
  bareMs: number;
  readyMb: number | undefined;
  loadedMb: number | undefined;
  bareMb: number | undefined;
}

const largest = (values: number[] | undefined): number | undefined => values && Math.max(...values);

async function measureRoles(): Promise<Omit<Round, 'bareMs' | 'bareMb'>> {
  const startedMs = performance.now();
  const deployment = await localRunner({ serviceEntry }).start(configs, { logsDir, concurrency });
  const rolesMs = performance.now() - startedMs;
  const pids = deployment.roles.map(({ pid }) => pid);
  try {
    // What is put off until after the start counts too.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const readyMb = largest(await proportionalSetSizesMb(pids));
    await load(deployment.gatewayUrl, Number(flags.requests), 16);
    return { rolesMs, readyMb, loadedMb: largest(await proportionalSetSizesMb(pids)) };
  } finally {
    await deployment.stop();
  }
}

async function measureBare(): Promise<Pick<Round, 'bareMs' | 'bareMb'>> {
  const startedMs = performance.now();
  const { pids, stop } = await startBare(configs.length, concurrency);
  const bareMs = performance.now() - startedMs;
  const bareMb = largest(await proportionalSetSizesMb(pids));
  await stop();
  return { bareMs, bareMb };
}

async function measureRound(rolesFirst: boolean): Promise<Round> {
  if (rolesFirst) return { ...(await measureRoles()), ...(await measureBare()) };
  const bare = await measureBare();
  return { ...bare, ...(await measureRoles()) };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] as number) : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

try {
  // The first start makes the code cache, which a machine does once.
  await measureRound(true);
  const rounds: Round[] = [];
  for (let round = 0; round < Number(flags.rounds); round++) {
    rounds.push(await measureRound(round % 2 === 0));
    if (!flags.json) console.error(line(rounds.at(-1) as Round));
  }
  report(rounds);
} finally {
  await rm(logsDir, { recursive: true, force: true });
}

function line({ rolesMs, bareMs, readyMb, loadedMb, bareMb }: Round): string {
  const memory =
    readyMb === undefined
      ? ''
      : `, PSS ${readyMb.toFixed(1)} MB ready, ${loadedMb?.toFixed(1)} MB loaded (bare ${bareMb?.toFixed(1)} MB)`;
  return `roles ${rolesMs.toFixed(0)} ms, bare ${bareMs.toFixed(0)} ms, ratio ${(rolesMs / bareMs).toFixed(2)}${memory}`;
}

function report(rounds: readonly Round[]): void {
  const ratios = rounds.map(({ rolesMs, bareMs }) => rolesMs / bareMs).sort((a, b) => a - b);
  const worst = (key: 'readyMb' | 'loadedMb'): number | null => largest(rounds.flatMap((round) => round[key] ?? [])) ?? null;
  const result = {
    processes: configs.length,
    framework: flags.framework,
    rounds: rounds.length,
    rolesMedianMs: median(rounds.map(({ rolesMs }) => rolesMs)),
    bareMedianMs: median(rounds.map(({ bareMs }) => bareMs)),
    ratio: median(ratios),
    // Smallest to largest of n: an interval for the median with confidence 1 − 2^(1−n), whatever the distribution.
    ratioInterval: [ratios[0] as number, ratios.at(-1) as number],
    confidence: 1 - 2 ** (1 - rounds.length),
    largestPssMbReady: worst('readyMb'),
    largestPssMbLoaded: worst('loadedMb'),
  };
  const met = {
    ratio: result.ratio <= mostRatio,
    pssReady: result.largestPssMbReady === null ? null : result.largestPssMbReady <= mostMbReady,
    pssLoaded: result.largestPssMbLoaded === null ? null : result.largestPssMbLoaded <= mostMbLoaded,
  };
  if (flags.json) {
    console.log(JSON.stringify({ ...result, targets: { mostRatio, mostMbReady, mostMbLoaded }, met }));
    return;
  }
  const verdict = (ok: boolean | null): string => (ok === null ? 'not available' : ok ? 'met' : 'NOT MET');
  const mb = (value: number | null): string => (value === null ? 'not available' : `${value.toFixed(1)} MB`);
  console.log(
    [
      `${result.processes} processes (${result.framework}), ${result.rounds} rounds, medians: roles ${result.rolesMedianMs.toFixed(0)} ms, bare node:http ${result.bareMedianMs.toFixed(0)} ms`,
      `ratio ${result.ratio.toFixed(2)} [${result.ratioInterval.map((value) => value.toFixed(2)).join(', ')}] at ${(100 * result.confidence).toFixed(1)}% confidence; target ≤ ${mostRatio}: ${verdict(met.ratio)}`,
      `largest PSS ready ${mb(result.largestPssMbReady)}; target ≤ ${mostMbReady} MB: ${verdict(met.pssReady)}`,
      `largest PSS after load ${mb(result.largestPssMbLoaded)}; target ≤ ${mostMbLoaded} MB: ${verdict(met.pssLoaded)}`,
    ].join('\n'),
  );
}
