/** What arrives of a user-supplied request, through a generator process of either driver. */
import { gzipSync } from 'node:zlib';
import { requestDrivers } from '@topo-bench/core/schema/experiment';
import { describe, expect, it } from 'vitest';
import { launcherNamed } from '../../src/launcher/launchers.ts';
import { type LoadUrlOptions, loadUrl } from '../../src/load-url/load-url.ts';
import { builtWorker } from '../fixtures/built-worker.ts';
import { serveBytes } from '../fixtures/server.ts';

const worker = builtWorker();

describe.each(requestDrivers)('driver %s', (driver) => {
  /** The distinct requests of a short load, head and body. */
  async function sent(
    options: Partial<LoadUrlOptions>,
    address = (url: string) => url,
  ): Promise<{ lines: string[]; body: Buffer }> {
    const { url, seen } = await serveBytes();
    const launcher = launcherNamed('processes', { workerPath: worker.path });
    const load = { rateRps: 20, connections: 1, durationUs: 100_000, drainUs: 1_000_000, keepAwake: false };
    await loadUrl({ ...load, url: address(url), driver, launcher, ...options });
    const first = seen[0] as Buffer;
    expect(seen.every((request) => request.equals(first))).toBe(true);
    const headEnd = first.indexOf('\r\n\r\n');
    return { lines: first.toString('latin1', 0, headEnd).split('\r\n'), body: first.subarray(headEnd + 4) };
  }

  it('sends the bytes of a body as they are', async () => {
    const bytes = gzipSync('an order');
    const { lines, body } = await sent({ body: bytes });
    expect(body).toEqual(bytes);
    expect(lines[0]).toBe('POST / HTTP/1.1');
  });

  it('sends a header that is given twice as two fields, in their order', async () => {
    const headers = [
      ['x-a', 'one'],
      ['accept', 'text/plain'],
      ['X-A', 'two'],
      ['host', 'shop.example'],
    ] as const;
    const { lines } = await sent({ headers });
    expect(lines.filter((line) => /^x-a:/i.test(line))).toEqual(['x-a: one', 'X-A: two']);
    expect(lines.filter((line) => /^host:/i.test(line))).toEqual(['host: shop.example']);
    expect(lines).toContain('accept: text/plain');
  });

  it('sends user and password of the URL as Basic authentication, and no other ones', async () => {
    const credentials = (url: string) => url.replace('//', '//ann:p%40ss%3Aw%C3%B6rd@');
    const { lines } = await sent({}, credentials);
    const basic = `authorization: Basic ${Buffer.from('ann:p@ss:wörd').toString('base64')}`;
    expect(lines.filter((line) => /^authorization:/i.test(line))).toEqual([basic]);
    expect(lines.join()).not.toContain('ann');
  });

  it('states the length of a POST without a body', async () => {
    const { lines } = await sent({ method: 'POST' });
    expect(lines.filter((line) => /^content-length:/i.test(line))).toEqual(['content-length: 0']);
  });

  it.each([
    ['a header of the connection', { headers: [['connection', 'close']] as const }, 'header connection: got a value'],
    ['a line break in a value', { headers: [['x-a', 'b\r\nc: d']] as const }, 'header x-a: got a control character'],
    ['two credentials', { url: 'http://a:b@c/', headers: [['Authorization', 'd']] as const }, 'expected one'],
    ['a password that is not percent-encoded', { url: 'http://a:%@c/' }, 'is not percent-encoded'],
    ['another scheme, without its password', { url: 'ftp://a:b /?#b@c/' }, '"ftp://***@c/" is not an http'],
    ['a Unix domain socket', { url: 'unix:/run/a.sock' }, 'that of a Unix domain socket'],
    ['such a socket behind a scheme', { url: 'http+unix://%2Frun%2Fa.sock/' }, 'that of a Unix domain socket'],
    ['such a socket behind http', { url: 'http://unix:/run/a.sock:/' }, 'that of a Unix domain socket'],
    ['an unknown method', { method: 'FETCH' }, '"FETCH" is not an HTTP method'],
  ])('refuses %s', async (_what, options, message) => {
    await expect(loadUrl({ url: 'http://127.0.0.1:1/', driver, ...options })).rejects.toThrow(message);
  });
});
