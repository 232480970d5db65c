import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { whatIsMissing } from '../../src/user-service/readiness.ts';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it.each([
  [200, undefined],
  [204, undefined],
  [301, 'GET /health answered 301, expected 2xx'],
  [503, 'GET /health answered 503, expected 2xx'],
])('a health path that answers %i', async (status, missing) => {
  const origin = await serve((_, response) => response.writeHead(status).end());
  expect(await whatIsMissing(origin, '/health', 5000)).toBe(missing);
});

it('a health path with a body without end is not read', async () => {
  let answer: ServerResponse | undefined;
  const origin = await serve((_, response) => {
    answer = response;
    const write = (): void => {
      while (response.write('x'.repeat(65_536)));
    };
    response.on('drain', write);
    write();
  });
  expect(await whatIsMissing(origin, '/health', 5000)).toBeUndefined();
  await expect.poll(() => answer?.destroyed).toBe(true);
});
