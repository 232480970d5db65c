import { describe, expect, it } from 'vitest';
import { HttpConnection } from '../../src/open/http-connection.ts';
import { requestMessage } from '../../src/open/request-message.ts';
import type { Response } from '../../src/open/response-parser.ts';
import { type Answer, serve } from '../fixtures/server.ts';

/** Sends a request over an open connection and waits for the answer. */
function ask(connection: HttpConnection, url: string, method = 'POST', body?: string): Promise<Response> {
  const message = requestMessage(new URL(url), method, [['x-a', 'b']])(
    body === undefined ? undefined : Buffer.from(body),
  );
  return new Promise((onResponse, onError) => connection.send(method, message, { onResponse, onError }));
}

const text = ({ body }: Response) => Buffer.concat(body).toString();

describe('a connection', () => {
  it('carries consecutive requests of every kind, as parsed by node:http', async () => {
    const url = await serve((response, body, request) => {
      const echo = JSON.stringify([request.method, request.url, request.headers.host, request.headers['x-a'], body]);
      response.setHeader('x-topo-rtt-us', '5');
      if (request.method === 'PUT') {
        // Two writes without a length: chunks.
        response.write(echo.slice(0, 10));
        setTimeout(() => response.end(echo.slice(10)), 5);
      } else response.end(echo);
    });
    const connection = new HttpConnection(new URL(url), { maxBodyBytes: 1e6 });
    await connection.opened();
    const host = new URL(url).host;
    const large = 'x'.repeat(300_000);
    for (const [method, path, body] of [
      ['GET', '/a?b=c', undefined],
      ['POST', '/', 'hällo'],
      ['PUT', '/put', large],
      ['POST', '/again', undefined],
    ] as const) {
      const response = await ask(connection, new URL(path, url).href, method, body);
      expect(JSON.parse(text(response))).toEqual([method, path, host, 'b', body ?? '']);
      expect([response.status, response.header, connection.isUsable(performance.now())]).toEqual([200, '5', true]);
    }
    expect(text(await ask(connection, url, 'HEAD'))).toBe('');
    connection.destroy();
  });

  it('is not reused after `connection: close`, or when its idle time is close to the timeout of servers', async () => {
    const url = await serve((response, _body, request) => {
      if (request.url === '/close') response.setHeader('connection', 'close');
      response.end();
    });
    const connection = new HttpConnection(new URL(url));
    await ask(connection, url);
    expect(connection.isUsable(performance.now() + 3000)).toBe(true);
    expect(connection.isUsable(performance.now() + 4500)).toBe(false);
    await ask(connection, new URL('/close', url).href);
    expect(connection.isUsable(performance.now())).toBe(false);
  });

  it.each([
    ['timeout=1', 700, 850],
    ['max=100, Timeout = "1"', 700, 850],
    // Any time below a second.
    ['timeout=0', 190, 250],
    ['timeout=60', 58_900, 59_100],
  ])('is reused after `keep-alive: %s` with a margin', async (announced, usableMs, expiredMs) => {
    const url = await serve((response) => response.setHeader('keep-alive', announced).end());
    const connection = new HttpConnection(new URL(url));
    const beforeMs = performance.now();
    await ask(connection, url);
    expect(connection.isUsable(beforeMs + usableMs)).toBe(true);
    expect(connection.isUsable(performance.now() + expiredMs)).toBe(false);
    connection.destroy();
  });

  const failures: [string, Answer, string][] = [
    ['is closed', (response) => response.socket?.end(), 'ECONNRESET'],
    ['is reset', (response) => response.socket?.resetAndDestroy(), 'ECONNRESET'],
    ['carries no HTTP, and more is to come', (response) => response.socket?.write('220 mail'), 'HPE_INVALID'],
  ];
  it.each(failures)('fails its request when it %s', async (_how, answer, code) => {
    const url = await serve(answer);
    const connection = new HttpConnection(new URL(url));
    await expect(ask(connection, url)).rejects.toMatchObject({ code });
    expect(connection.isUsable(performance.now())).toBe(false);
  });

  it('is not used again when bytes come without a request', async () => {
    const url = await serve((response) => {
      response.end();
      response.socket?.write('HTTP/1.1 408 Request Timeout\r\n\r\n');
    });
    const connection = new HttpConnection(new URL(url));
    // With the answer or behind it.
    await ask(connection, url).catch(() => undefined);
    await expect.poll(() => connection.isUsable(performance.now())).toBe(false);
  });

  it('fails its request when it is destroyed with a reason, and stays silent without one', async () => {
    const url = await serve(() => undefined);
    const [given, dropped] = [new HttpConnection(new URL(url)), new HttpConnection(new URL(url))];
    const answer = ask(given, url);
    given.destroy(new Error('too late'));
    await expect(answer).rejects.toThrow('too late');
    let told = false;
    ask(dropped, url).finally(() => {
      told = true;
    });
    dropped.destroy();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(told).toBe(false);
  });
});
