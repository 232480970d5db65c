/**
 * Both sides of bench:startup do the same work before the clock stops: one request through every hop, by the same
 * client.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleBareHop, processesOf, startBare } from '../../bench/bare-start.ts';
import { sidecarChain } from '../../bench/hundred-roles.ts';
import { firstRequest } from '../../bench/short-load.ts';
import { type Round, report } from '../../bench/startup-report.ts';
import { onLoopback } from '../../src/local/placement.ts';

const services = 3;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'startup-bench-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('as many bare processes as roles, with the same peers', () => {
  const configs = sidecarChain(services, 'fastify')
    .configure(onLoopback(0))
    .roles.map(({ config }) => config);
  expect(configs).toHaveLength(processesOf(services));
  const peers = configs.map(({ peers }) => Object.keys(peers).length).sort();
  // The gateway knows all sidecars and calls the first; each sidecar calls its service and the next one; services make
  // no calls.
  expect(configs.filter(({ kind }) => kind === 'service').map((config) => Object.keys(config.peers).length)).toEqual([
    0, 0, 0,
  ]);
  expect(peers.filter((count) => count > 0)).toHaveLength(services + 1);
});

test('the first request passes through every bare process, and all end', async () => {
  const script = await bundleBareHop(folder);
  const bare = await startBare(script, services, 4);
  await firstRequest(bare.gatewayUrl);
  // Without one of its hops the chain cannot answer.
  await bare.stop();
  await expect(firstRequest(bare.gatewayUrl)).rejects.toThrow();
});

test('the ratio is of starts in the same round', () => {
  const rounds: Round[] = [
    { bare: 100, fastify: 150 },
    { bare: 200, fastify: 220 },
    { bare: 50, fastify: 60 },
  ];
  const memory = { fastify: { readyMb: 10, loadedMb: 20 } };
  const { json } = report({ processes: 7, frameworks: ['fastify'], rounds, memory });
  expect(json.results[0]?.ratio).toBeCloseTo(1.2, 10);
  expect(json.results[0]?.ratioInterval[1]).toBeCloseTo(1.5, 10);
});
