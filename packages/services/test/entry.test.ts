import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { deploymentDocuments, planDeployment } from '@topo-bench/deployment';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loopback } from '../../deployment/test/fixtures/loopback.ts';
import type { FullConfig } from '../src/full-config.ts';
import { fullConfigs, send, testGraph } from './fixtures/deployment.ts';
import { type Bundle, bundleEntry, documentLines, RoleProcess } from './role-process.ts';

let bundle: Bundle;
let processes: RoleProcess[] = [];
beforeAll(async () => {
  bundle = await bundleEntry();
});
afterEach(async () => {
  for (const { child } of processes) child.kill('SIGKILL');
  await Promise.all(processes.map(({ exit }) => exit));
  processes = [];
});
afterAll(() => bundle.remove());

function role(...args: string[]): RoleProcess {
  const started = new RoleProcess(bundle.file, args);
  processes.push(started);
  return started;
}
function configs(architecture: 'none' | 'sidecar', change: Partial<FullConfig> = {}): FullConfig[] {
  const graph = testGraph({ services: [{ generate: 2 }], enforcement: { architecture } });
  const documents = deploymentDocuments({ graph, plan: planDeployment(graph), seed: 1, secret: 's', place: loopback });
  return fullConfigs(documents).map((config) => ({ ...config, ...change }));
}
const service = (change: Partial<FullConfig> = {}): FullConfig =>
  configs('sidecar', change).find(({ kind }) => kind === 'service') as FullConfig;

describe('the entry', () => {
  it('starts a deployment of processes that serves requests, on every framework', async () => {
    for (const framework of ['fastify', 'express', 'node'] as const) {
      const all = configs('sidecar', { framework });
      const roles = all.map(() => role());
      const ready = await Promise.all(all.map((config, i) => (roles[i] as RoleProcess).listening(config)));
      expect(ready.map(({ name }) => name)).toEqual(all.map(({ name }) => name));
      const peers = Object.fromEntries(ready.map(({ name, url }) => [name, url]));
      for (const each of roles) each.write(`${JSON.stringify({ peers })}\n`);
      expect(await Promise.all(roles.map((each) => each.line()))).toEqual(roles.map(() => ({ ready: true })));
      const { status, body } = await send(peers.gateway as string);
      expect([status, body.hops]).toEqual([200, 5]);
    }
  });

  it('reads its documents from split chunks, split characters and joined lines', async () => {
    const started = role();
    const bytes = Buffer.from(`${documentLines(service({ name: 'ü'.repeat(200) }))}{"peers":{}}\n`);
    for (let i = 0; i < bytes.length; i += 101) {
      started.write(bytes.subarray(i, i + 101));
      // What is written before the process reads comes as one piece.
      await new Promise((resolve) => setTimeout(resolve, i === 0 ? 1000 : 5));
    }
    expect(await started.line()).toMatchObject({ name: 'ü'.repeat(200) });
    expect(await started.line()).toEqual({ ready: true });
  });

  it('reads standard input from a file too, and ends with it', async () => {
    const file = join(bundle.dir, 'lines');
    await writeFile(file, `${documentLines(service())}{"peers":{}}\n`);
    const input = openSync(file, 'r');
    const child = spawn(process.execPath, [bundle.file], { stdio: [input, 'pipe', 'inherit'] });
    closeSync(input);
    const output = await text(child.stdout as NodeJS.ReadableStream);
    expect(output.split('\n')[0]).toContain('"name":"svc-1"');
  });

  it('ends when its standard input ends', async () => {
    const started = role();
    await started.listening(service());
    started.child.stdin?.end();
    expect(await started.exit).toEqual([0, null]);
    expect(started.stderr).toBe('');
  });

  it('ends with its standard input before any document, too', async () => {
    const started = role();
    started.child.stdin?.end();
    expect((await started.exit)[0]).toBe(0);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('finishes what it has in hand on %s, then ends', async (signal) => {
    const config = service();
    config.graph.services = config.graph.services.map((each) => ({
      ...each,
      work: { law: 'constant', meanUs: 300_000, kind: 'wait' },
    }));
    const started = role();
    const { url } = await started.listening(config);
    const answer = fetch(`${url}/work`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-topo-token': config.secrets.token },
      body: JSON.stringify({ id: 'x', from: 0, hop: 1, request: { payload: {} } }),
    });
    while (!(await inFlight(url, config))) await new Promise((resolve) => setTimeout(resolve, 5));
    started.child.kill(signal);
    expect((await answer).status).toBe(200);
    expect(await started.exit).toEqual([0, null]);
  });

  it('drains requests in flight for a limited time', async () => {
    const config = service();
    config.graph.services = config.graph.services.map((each) => ({
      ...each,
      work: { law: 'constant', meanUs: 60e6, kind: 'wait' },
    }));
    const started = role();
    const { url } = await started.listening(config);
    const answer = fetch(`${url}/work`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-topo-token': config.secrets.token },
      body: JSON.stringify({ id: 'x', from: 0, hop: 1, request: { payload: {} } }),
    }).catch(() => 'cut');
    while (!(await inFlight(url, config))) await new Promise((resolve) => setTimeout(resolve, 5));
    started.child.kill('SIGTERM');
    expect(await started.exit).toEqual([0, null]);
    expect(await answer).toBe('cut');
  });

  it('reads its documents from files in a container, addresses of peers included', async () => {
    const [gateway] = configs('none');
    const { secrets, graph, ...config } = gateway as FullConfig;
    const peers = { 'svc-1': { url: 'http://127.0.0.1:9', node: 0 } };
    const documents = { config: { ...config, peers }, secrets, graph };
    const started = role(...(await Promise.all(Object.entries(documents).map(fileFlag))).flat());
    // There is no parent to hold standard input open.
    started.child.stdin?.end();
    const { url } = (await started.line()) as { url: string };
    expect(await started.line()).toEqual({ ready: true });
    expect((await send(url)).body.error).toBe('unreachable:svc-1');
    started.child.kill('SIGTERM');
    expect((await started.exit)[0]).toBe(0);
  });

  it('logs its fatal error in one line, with the name of the role', async () => {
    const first = role();
    const { url } = await first.listening(service());
    const second = role();
    second.write(documentLines({ ...service(), listen: { host: '127.0.0.1', port: Number(new URL(url).port) } }));
    expect((await second.exit)[0]).toBe(1);
    expect(second.stderr).toMatch(/^svc-1: EADDRINUSE.*\n$/);

    const broken = role();
    broken.write('{"name":\n');
    expect((await broken.exit)[0]).toBe(1);
    expect(broken.stderr).toMatch(/^unnamed role: cannot read its configuration.*\n$/);

    const missing = role('--config', join(bundle.dir, 'none.json'));
    expect((await missing.exit)[0]).toBe(1);
    expect(missing.stderr).toMatch(/^unnamed role: ENOENT.*none\.json.*\n$/);

    const { secrets: _, graph: _graph, ...config } = service();
    const alone = role(...(await fileFlag(['config', config])));
    expect((await alone.exit)[0]).toBe(1);
    expect(alone.stderr).toMatch(/^svc-1: --secrets needs the path of a file.*\n$/);
  });

  it('warns about rules that it cannot load, and refuses every request', async () => {
    const [, sidecar] = configs('sidecar');
    const rules = { default: 'allow', conditions: {}, rules: [{ index: 0, id: 'x', when: { fact: 'moon' } }] };
    const started = role();
    await started.listening({ ...(sidecar as FullConfig), rules: rules as never });
    while (!started.stderr.includes('\n')) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(started.stderr).toMatch(/^svc-1-sidecar: has no rules and refuses every step: .*\n$/);
  });
});

/** Writes a document to a file. @returns the flag that names it */
async function fileFlag([name, document]: [string, unknown]): Promise<string[]> {
  const file = join(bundle.dir, `${name}.json`);
  await writeFile(file, JSON.stringify(document));
  return [`--${name}`, file];
}

async function inFlight(url: string, { secrets }: FullConfig): Promise<number> {
  const response = await fetch(`${url}/control/stats`, { headers: { 'x-topo-control': secrets.controlToken } });
  return ((await response.json()) as { inFlight: number }).inFlight;
}
