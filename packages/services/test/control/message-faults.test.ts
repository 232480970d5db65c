import { headers, type MessageFaults } from '@topo-bench/core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { deploy, type TestDeployment, testGraph } from '../fixtures/deployment.ts';

describe('faults of messages', () => {
  let deployment: TestDeployment;
  let controlToken: string;
  beforeAll(async () => {
    const enforcement = { architecture: 'sidecar' } as const;
    const graph = testGraph({ services: [{ generate: 2 }], enforcement, deadlines: { hop: '1500ms', request: '20s' } });
    deployment = await deploy(graph);
    controlToken = deployment.configs[0]?.secrets.controlToken ?? '';
    await deployment.send();
  });
  afterEach(async () => {
    for (const role of Object.keys(deployment.urls)) await setFaults(role, {});
  });
  afterAll(() => deployment.close());

  function setFaults(role: string, faults: object, token = controlToken): Promise<Response> {
    const control = { [headers.control]: token, 'content-type': 'application/json' };
    const url = `${deployment.urls[role]}/control/faults`;
    return fetch(url, { method: 'POST', headers: control, body: JSON.stringify(faults) });
  }
  const faults = (role: string, some: Partial<MessageFaults>) => setFaults(role, some);
  const servedBy = async (role: string) => (await deployment.stats(role)).served;
  const timed = async (): Promise<[tookMs: number, answer: Awaited<ReturnType<TestDeployment['send']>>]> => {
    const startMs = performance.now();
    const answer = await deployment.send();
    return [performance.now() - startMs, answer];
  };

  it('delay each message of a role: a service answers late, and its sidecar hands over late too', async () => {
    await faults('svc-1', { delayUs: 60_000 });
    const [serviceMs, slow] = await timed();
    expect(slow.status).toBe(200);
    expect(serviceMs).toBeGreaterThanOrEqual(60);
    await faults('svc-1', {});
    await faults('svc-1-sidecar', { delayUs: 60_000 });
    // It calls its service, then hands over.
    expect((await timed())[0]).toBeGreaterThanOrEqual(120);
  });

  it('lose messages to a peer, which never gets them: the sender waits for its deadline', async () => {
    const before = await servedBy('svc-2');
    await faults('svc-2-sidecar', { to: ['svc-2'] });
    const [tookMs, { status, body }] = await timed();
    expect([status, body.error]).toEqual([504, 'deadline:svc-2']);
    expect(tookMs).toBeGreaterThanOrEqual(1490);
    expect(await servedBy('svc-2')).toBe(before);
  });

  it('lose answers of a peer that has done the work', async () => {
    const before = await servedBy('svc-2');
    await faults('svc-2-sidecar', { from: ['svc-2'] });
    expect((await timed())[1].body.error).toBe('deadline:svc-2');
    expect(await servedBy('svc-2')).toBe(before + 1);
  });

  it('end with the next ones, and concern no other peer', async () => {
    await faults('svc-1-sidecar', { to: ['svc-2'], from: ['svc-2'] });
    expect((await deployment.send()).status).toBe(200);
    await faults('svc-1-sidecar', { to: ['svc-2-sidecar'] });
    // A flow that is lost between two sidecars ends with an error of the first.
    expect((await deployment.send()).body.error).toBe('deadline:svc-2-sidecar');
    await faults('svc-1-sidecar', {});
    expect((await deployment.send()).status).toBe(200);
  });

  it('are set by the holder of the token alone, and only if they can be read', async () => {
    expect((await setFaults('svc-1', { delayUs: 60e6 }, 'wrong')).status).toBe(401);
    expect((await setFaults('svc-1', { delayUs: -1 })).status).toBe(400);
    expect((await setFaults('svc-1', { delayUs: '60000' })).status).toBe(400);
    expect((await setFaults('svc-1', { to: 'svc-2' })).status).toBe(400);
    expect((await deployment.send()).status).toBe(200);
  });
});
