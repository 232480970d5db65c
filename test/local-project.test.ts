import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GatewayResponse } from '@topo-bench/core';
import { freePort } from '@topo-bench/host';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { callTopoBench } from '../packages/cli/test/fixtures/in-process.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { root } from './fixtures/topo-bench.ts';

const folder = join(temporaryFolder(), 'project');
const running: ChildProcess[] = [];
let url = '';

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const args = ['generate', 'quickstart', '--target', 'local', '--out', folder, '--port', String(port)];
  expect((await callTopoBench(args)).code).toBe(0);
});

afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** Resolves when all roles are ready. */
async function started(env: Record<string, string> = {}): Promise<ChildProcess> {
  const entry = { TOPO_BENCH_SERVICE: join(root, 'packages/cli/dist/service.cjs') };
  const child = spawn(process.execPath, [join(folder, 'start.mjs')], {
    env: { ...process.env, ...entry, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      output += data;
    });
  while (!output.includes('ready: ')) {
    if (child.exitCode !== null) throw new Error(output);
    await sleep(50);
  }
  return child;
}

async function ask(origin: string): Promise<GatewayResponse> {
  const request = { class: 'order', origin, categories: ['personal'], consents: ['analytics'], purpose: 'contract' };
  const body = JSON.stringify({ ...request, payload: { customer: 'Ada' }, fieldCategories: { customer: 'personal' } });
  const response = await fetch(`${url}/requests`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return (await response.json()) as GatewayResponse;
}

/** Every role has closed its port. */
async function allGone(): Promise<boolean> {
  const { peers } = JSON.parse(readFileSync(join(folder, 'config/gateway.json'), 'utf8'));
  const urls = [url, ...Object.values(peers as Record<string, { url: string }>).map((peer) => peer.url)];
  const deadline = Date.now() + 30_000;
  for (;;) {
    const alive = await Promise.all(
      urls.map((one) =>
        fetch(`${one}/health`).then(
          () => true,
          () => false,
        ),
      ),
    );
    if (!alive.includes(true)) return true;
    if (Date.now() > deadline) return false;
    await sleep(100);
  }
}

describe('a project for this machine', () => {
  it('starts, decides requests, and stops with Ctrl-C', async () => {
    const child = await started();
    expect(await ask('us')).toMatchObject({ outcome: 'completed' });
    expect(await ask('eu')).toMatchObject({ outcome: 'refused', rule: 'eu-data-stays', service: 'recommendations' });
    child.kill('SIGINT');
    await once(child, 'exit');
    expect(child.exitCode).toBe(0);
    expect(await allGone()).toBe(true);
  });

  it('leaves no role behind when its script is killed', async () => {
    const child = await started();
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await allGone()).toBe(true);
  });

  it('names the role that ended, and ends the others', async () => {
    await expect(started({ TOPO_BENCH_SERVICE: join(folder, 'gone.cjs') })).rejects.toThrow(/ ended: 1/);
    expect(await allGone()).toBe(true);
  });
});
