import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Probe } from '@topo-bench/core';
import { afterEach, expect, test } from 'vitest';
import { ControlClient } from '../../src/control-client.ts';
import { probeNetwork } from '../../src/kubernetes/network-probe.ts';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** Probes from a gateway whose answers are given by service and round, beginning with 1. */
async function probeWith(
  services: string[],
  answer: (service: string, round: number) => Probe,
  withinMs: number,
  settleMs?: number,
) {
  const rounds = new Map<string, number>();
  const server = createServer((request, response) => {
    const service = request.url?.split('/').at(-1) as string;
    const round = (rounds.get(service) ?? 0) + 1;
    rounds.set(service, round);
    response.end(JSON.stringify(answer(service, round)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new ControlClient();
  open.push(
    () => client.close(),
    () => server.close(),
  );
  const controlUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // As if the pods had been ready for a second.
  const readyAtMs = performance.now() - 1000;
  return probeNetwork(client, { name: 'gateway', url: '', controlUrl, controlToken: 't' }, services, {
    readyAtMs,
    withinMs,
    ...(settleMs !== undefined && { settleMs }),
  });
}

const refused: Probe = { status: 401 };
const blocked: Probe = { error: 'ETIMEDOUT' };
const accepted: Probe = { status: 200 };

test('a network that blocks all services from the third round on was open since their pods were ready', async () => {
  const figures = await probeWith(
    ['a', 'b'],
    (service, round) => (service === 'a' && round < 3 ? refused : blocked),
    9e3,
  );
  expect(figures).toMatchObject({ probed: 2, refusedByService: 0, blockedByNetwork: 2 });
  // Two pauses of 250 ms after the second before.
  expect(figures.openMs).toBeGreaterThanOrEqual(1500);
  expect(figures.openMs).toBeLessThan(6000);
  expect(figures.probedMs).toBe(figures.openMs);
});

test('a network that still allows one service through at the end has no time, and both counts', async () => {
  const figures = await probeWith(['a', 'b'], (service) => (service === 'a' ? refused : blocked), 300);
  expect(figures).toEqual({ probed: 2, refusedByService: 1, blockedByNetwork: 1, probedMs: expect.any(Number) });
  expect(figures.probedMs).toBeGreaterThanOrEqual(1300);
});

test('a service that keeps accepting requests past its enforcement point fails the start, and is named', async () => {
  const startMs = performance.now();
  const failure = await probeWith(['a', 'b', 'c'], (service) => (service === 'b' ? accepted : blocked), 100, 600).catch(
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({
    code: 'TB_INTERNAL',
    message: 'b answered 200 to a request past its enforcement point, expected 401',
  });
  // Not before the address of the Service has settled, although the network had less time than that.
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(600);
});

test('another answer than the refusal for a missing token counts as accepted too', async () => {
  const failure = await probeWith(['a'], () => ({ status: 404 }), 100, 0).catch((error: unknown) => error);
  expect(failure).toMatchObject({ message: 'a answered 404 to a request past its enforcement point, expected 401' });
});

test('an answer from elsewhere, until the address of a new Service settles, is not that of the service', async () => {
  const answer = (_: string, round: number): Probe => (round < 3 ? accepted : refused);
  const figures = await probeWith(['a'], answer, 100, 5000);
  expect(figures).toMatchObject({ probed: 1, refusedByService: 1, blockedByNetwork: 0 });
});
