/**
 * Who may use the server: a page that it served itself. The token in the path is a secret of this process. `Host` is
 * checked against DNS rebinding, and `Origin` and `Sec-Fetch-Site` against pages of other origins.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const newToken = (): string => randomBytes(24).toString('base64url');

/** @returns why the request is refused, or undefined */
export function refusalOf({ method, headers }: IncomingMessage, port: number): string | undefined {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const { host = '', origin } = headers;
  if (!hosts.includes(host)) return `Host: got ${JSON.stringify(host)}, expected ${hosts.join(' or ')}`;
  if (origin !== undefined && origin !== `http://${host}`) return `Origin: got ${origin}, expected http://${host}`;
  const site = headers['sec-fetch-site'];
  if (method === 'GET') return site === 'cross-site' ? 'Sec-Fetch-Site: got cross-site' : undefined;
  if (method !== 'POST') return `method: got ${method}, expected GET or POST`;
  if (origin === undefined) return `Origin: got none, expected http://${host}`;
  if (site !== undefined && site !== 'same-origin') return `Sec-Fetch-Site: got ${site}, expected same-origin`;
  const type = headers['content-type'];
  return type === 'application/json' ? undefined : `Content-Type: got ${type}, expected application/json`;
}

/** The part of the path after the token; undefined for another token. */
export function pathAfter(token: string, url = ''): string | undefined {
  const [, given = '', ...rest] = url.split('?')[0]?.split('/') ?? [];
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b) ? `/${rest.join('/')}` : undefined;
}
