/** A web page whose name resolves to this machine (DNS rebinding) must not drive a role. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startServer as startExpress } from '../../src/http/express/server.ts';
import { startServer as startFastify } from '../../src/http/fastify/server.ts';
import type { RunningServer } from '../../src/http/http-port.ts';
import { startServer as startNode } from '../../src/http/node/server.ts';

let server: RunningServer;
let handled = 0;
afterEach(() => server.close(0));

/** @param headers in addition to those of an ordinary request */
function ask(method: string, path: string, headers: Record<string, string>): Promise<[number, string]> {
  const { port } = new URL(server.url);
  const json = { 'content-type': 'application/json', 'content-length': '2' };
  return new Promise((resolve, reject) => {
    const sent = method === 'POST' ? { ...json, ...headers } : headers;
    const onResponse = async (response: IncomingMessage): Promise<void> => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve([response.statusCode ?? 0, text]);
    };
    const request = httpRequest(
      { port, host: '127.0.0.1', method, path, headers: sent },
      (one) => void onResponse(one),
    );
    request.on('error', reject).end(method === 'POST' ? '{}' : '');
  });
}

describe.each([
  ['fastify', startFastify],
  ['express', startExpress],
  ['node', startNode],
])('a role on %s', (_name, startServer) => {
  async function listenOn(host: string, published?: 'loopback'): Promise<void> {
    handled = 0;
    const handle = (call: { answer(status: number, json: string): void }): void => {
      handled++;
      call.answer(200, '{}');
    };
    server = await startServer({
      host,
      port: 0,
      ...(published && { published }),
      routes: [
        { method: 'POST', path: '/requests', handle },
        { method: 'GET', path: '/arrow', handle },
      ],
      control: [{ method: 'GET', path: '/health', handle }],
    });
  }
  const routes = [
    ['POST', '/requests'],
    ['GET', '/arrow'],
    ['GET', '/health'],
    ['GET', '/nowhere'],
  ] as const;

  it.each(['evil.example', 'evil.example:8080', 'localhost.evil.example', '127.0.0.1.evil.example:1', '10.0.0.1'])(
    'on loopback refuses the host %j on every route',
    async (host) => {
      await listenOn('127.0.0.1');
      for (const [method, path] of routes) {
        const [status, text] = await ask(method, path, { host });
        expect([status, JSON.parse(text)]).toEqual([
          421,
          { error: 'misdirected', message: expect.stringContaining(`Host: got ${JSON.stringify(host)}`) },
        ]);
      }
      expect(handled).toBe(0);
    },
  );

  it.each(['http://evil.example', 'https://evil.example:443', 'null'])(
    'on loopback refuses the origin %j',
    async (origin) => {
      await listenOn('127.0.0.1');
      for (const [method, path] of routes) expect((await ask(method, path, { origin }))[0]).toBe(421);
      expect(handled).toBe(0);
    },
  );

  it('on loopback accepts every loopback name with any port, and clients that name none', async () => {
    await listenOn('127.0.0.1');
    for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1', '127.8.7.6:65535', '[::1]', '[::1]:8080']) {
      expect(await ask('POST', '/requests', { host, origin: `http://${host}` })).toEqual([200, '{}']);
    }
    const { port } = new URL(server.url);
    const socket = connect(Number(port), '127.0.0.1', () => socket.write('GET /health HTTP/1.0\r\n\r\n'));
    const [chunk] = await new Promise<Buffer[]>((resolve) => socket.on('data', (...chunks) => resolve(chunks)));
    expect(chunk?.toString()).toMatch(/^HTTP\/1.1 200/);
    socket.destroy();
  });

  it('in a container that is published on loopback, refuses public names', async () => {
    await listenOn('0.0.0.0', 'loopback');
    for (const host of ['evil.example', 'evil.example:8080', '127.0.0.1.evil.example', 'evil.localhost.example']) {
      expect((await ask('POST', '/requests', { host }))[0]).toBe(421);
      expect((await ask('POST', '/requests', { host: 'gateway:8080', origin: `http://${host}` }))[0]).toBe(421);
    }
    expect(handled).toBe(0);
    for (const host of [
      'localhost:8080',
      '127.0.0.1:1',
      '172.18.0.3:8080',
      '[fd00::3]:8080',
      'gateway',
      'svc-1:8080',
    ]) {
      expect((await ask('POST', '/requests', { host }))[0]).toBe(200);
    }
  });

  it('on all addresses, as in a container, accepts every name', async () => {
    await listenOn('0.0.0.0');
    for (const host of ['gateway', 'gateway.default.svc:8080', 'example.com']) {
      expect((await ask('GET', '/health', { host }))[0]).toBe(200);
    }
  });
});
