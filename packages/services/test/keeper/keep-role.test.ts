/** A role as the child of its keeper, as in a pod: killed, started again with changed rules, stopped, and ended. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { headers } from '@topo-bench/core';
import { deploymentDocuments, planDeployment } from '@topo-bench/deployment';
import { freePort, readAllProcessStats } from '@topo-bench/host';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loopback } from '../../../deployment/test/fixtures/loopback.ts';
import { testGraph } from '../fixtures/deployment.ts';
import { type Bundle, bundleEntry, RoleProcess } from '../role-process.ts';

let bundle: Bundle;
beforeAll(async () => {
  bundle = await bundleEntry();
});
afterAll(() => bundle.remove());

const graph = testGraph({ services: [{ generate: 1 }], enforcement: { architecture: 'central-entity' } });
const plan = planDeployment(graph);
const { roles, graph: document } = deploymentDocuments({ graph, plan, seed: 1, secret: 's', place: loopback });
const { config, secrets } = roles.find((role) => role.config.name === 'central-entity') as (typeof roles)[number];

describe('a role with a keeper', () => {
  let keeper: RoleProcess;
  let port: number;
  let keeperPort: number;
  beforeEach(async () => {
    [port, keeperPort] = [await freePort(), await freePort()];
    const documents = {
      config: { ...config, listen: { host: '127.0.0.1', port }, peers: {} },
      ...{ secrets, graph: document },
    };
    const files: string[] = [];
    for (const [name, one] of Object.entries(documents)) {
      const file = join(bundle.dir, `${name}.json`);
      await writeFile(file, JSON.stringify(one));
      files.push(`--${name}`, file);
    }
    keeper = new RoleProcess(bundle.file, [...files, '--keeper', String(keeperPort)]);
    expect(await keeper.line()).toMatchObject({ name: 'central-entity' });
    expect(await keeper.line()).toEqual({ ready: true });
    // Not by SIGKILL, after which its role would keep running.
    return async () => {
      keeper.child.kill('SIGTERM');
      await keeper.exit;
    };
  });

  const child = () => readAllProcessStats().find(({ parent, state }) => parent === keeper.child.pid && state !== 'Z');
  const ask = (at: number, method: string, path: string, body?: object) =>
    fetch(`http://127.0.0.1:${at}${path}`, {
      method,
      headers: { [headers.control]: secrets.controlToken, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const change = async (kind: string, body = {}) => {
    const response = await ask(keeperPort, 'POST', `/control/process/${kind}`, body);
    return { status: response.status, body: (await response.json()) as { process?: { cpuUs: number } } };
  };
  const answers = () =>
    ask(port, 'GET', '/health').then(
      ({ status }) => status,
      () => 'down',
    );

  it('is killed at once, and comes back at its address with the rules that it is given', async () => {
    const killed = await change('kill');
    expect([killed.status, await answers(), child()]).toEqual([200, 'down', undefined]);
    expect(killed.body.process?.cpuUs).toBeGreaterThan(10_000);
    expect((await change('kill')).status).toBe(409);

    const rules = { rulesVersion: 3, rules: config.rules };
    expect(await change('restart', { rules })).toEqual({ status: 200, body: {} });
    // It is ready when the keeper has answered.
    expect(await answers()).toBe(200);
    expect(await (await ask(port, 'GET', '/control/rules-confirmed/3')).json()).toEqual({ version: 3 });
    expect((await change('restart')).status).toBe(409);
  });

  it('stops and continues, and is ended in either state by the end of its keeper', async () => {
    expect((await change('freeze')).status).toBe(200);
    expect(child()?.state).toBe('T');
    expect((await change('thaw')).status).toBe(200);
    expect(await answers()).toBe(200);
    await change('freeze');
    const { pid } = child() as { pid: number };
    keeper.child.kill('SIGTERM');
    expect(await keeper.exit).toEqual([0, null]);
    expect(readAllProcessStats().find((stat) => stat.pid === pid && stat.state !== 'Z')).toBeUndefined();
  });

  it('ends its keeper when it ends unplanned, which names the cause', async () => {
    process.kill(child()?.pid as number, 'SIGKILL');
    expect(await keeper.exit).toEqual([137, null]);
    expect(keeper.stderr).toContain('central-entity: its process was ended by SIGKILL');
  });

  it('takes changes only with the token, and refuses unknown ones', async () => {
    const path = `http://127.0.0.1:${keeperPort}/control/process/kill`;
    expect((await fetch(path, { method: 'POST' })).status).toBe(401);
    expect((await change('toString')).status).toBe(404);
    await sleep(50);
    expect(await answers()).toBe(200);
  });
});
