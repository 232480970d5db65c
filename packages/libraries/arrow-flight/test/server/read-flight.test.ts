import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readFlight } from '../../src/client/read-flight.ts';
import { all, serve, ticket, until } from './served-numbers.ts';

it('reads the endpoints of a flight in parallel, and cancels the rest when one fails', async () => {
  const { client, seen } = await serve();
  const info = await client.getFlightInfo({ path: ['numbers'] });
  const batches = await all(readFlight(client, info));
  expect(batches.reduce((sum, batch) => sum + batch.numRows, 0)).toBe(40_000);
  const broken = { ...info, endpoints: ['ticks', 'fails'].map((name) => ({ ticket: ticket(name), locations: [] })) };
  await expect(all(readFlight(client, broken))).rejects.toMatchObject({ status: 'unavailable' });
  await until(() => seen.ended === 4);
});

it('stops reading a flight while parts of it are pending', async () => {
  const { client, seen } = await serve();
  const endpoints = ['ticks', 'stalls', 'ticks'].map((name) => ({ ticket: ticket(name), locations: [] }));
  // A rejection without a handler would fail the run.
  for await (const _ of readFlight(client, { ...(await client.getFlightInfo({ path: ['x'] })), endpoints })) break;
  await until(() => seen.ended === seen.begun - 1); // The stalled one cannot be reached by `return`.
  const { given } = seen;
  await sleep(50);
  expect(seen).toMatchObject({ begun: 3, ended: 2, given });
});
