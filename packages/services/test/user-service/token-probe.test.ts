import { timingSafeEqual } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { uncheckedCall } from '../../src/user-service/token-probe.ts';

const token = 'x-marks_the-right-token';
let server: Server | undefined;
afterEach(() => server?.closeAllConnections());

async function probed(listener: RequestListener): Promise<string | undefined> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return uncheckedCall(`http://127.0.0.1:${(server.address() as AddressInfo).port}/price?tier=1`, token);
}

it('finds a service that takes any call', async () => {
  const seen: string[] = [];
  const found = await probed((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers['x-topo-token']}`);
    response.end('{}');
  });
  expect(found).toBe('without a token');
  expect(seen).toEqual(['POST /price?tier=1 undefined']);
});

it('finds a service that only looks whether there is a token', async () => {
  const found = await probed((request, response) => {
    response.writeHead(request.headers['x-topo-token'] ? 200 : 401).end();
  });
  expect(found).toBe('with a wrong token');
});

it('finds nothing where both calls are refused, also in constant time', async () => {
  const right = Buffer.from(token);
  let calls = 0;
  const found = await probed((request, response) => {
    calls++;
    const given = request.headers['x-topo-token'];
    // As in many services: throws for another length.
    const fits = given !== undefined && timingSafeEqual(Buffer.from(String(given)), right);
    response.writeHead(fits ? 200 : 401).end();
  });
  expect([found, calls]).toEqual([undefined, 2]);
});

it('leaves no connection to an answer without an end', async () => {
  let closed = Promise.resolve();
  const found = await probed((_, response) => {
    const parts = setInterval(() => response.write('{'), 20);
    closed = new Promise((resolve) => void response.on('close', resolve));
    void closed.then(() => clearInterval(parts));
  });
  expect(found).toBe('without a token');
  await closed;
});

it('finds nothing where there is no answer', async () => {
  expect(await probed(() => undefined)).toBeUndefined();
});
