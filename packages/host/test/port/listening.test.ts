import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { freePort, isFreePort, isOwnAddress } from '../../src/port/listening.ts';

async function listen(port: number, host: string): Promise<number> {
  const server = createServer().listen(port, host);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

it('is below the range from which the system assigns ports, and can be listened on', async () => {
  const port = await freePort();
  expect(port).toBeGreaterThanOrEqual(20_000);
  expect(port).toBeLessThan(32_000);
  expect(await listen(port, '127.0.0.1')).toBe(port);
});

it('is never one with a listener, on any address', async () => {
  const taken = await listen(await freePort(), '127.0.0.1');
  expect(await isFreePort(taken)).toBe(false);
  const draws = [taken, taken, taken + 1].map((port) => (port - 20_000) / 12_000 + 1e-9);
  expect(await freePort(() => draws.shift() ?? Math.random())).not.toBe(taken);
});

it('is free again when the check is over', async () => {
  const port = await freePort();
  expect(await isFreePort(port)).toBe(true);
  expect(await isFreePort(port)).toBe(true);
});

it('an address of this host is distinguished from others', async () => {
  // 192.0.2.0/24 is reserved for documentation (RFC 5737).
  expect(await Promise.all(['127.0.0.1', '192.0.2.1'].map(isOwnAddress))).toEqual([true, false]);
});
