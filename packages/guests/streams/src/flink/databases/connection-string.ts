/** What all connection strings have in common: a host, and a login. */
import { TopoBenchError } from '@topo-bench/core';
import type { Login } from './database.ts';

/** @throws TopoBenchError `TB_STORE_URL` for a socket, which drivers of Java do not reach */
export function withHost(url: string): URL {
  const parsed = new URL(url);
  if (parsed.hostname !== '') return parsed;
  throw withoutHost(parsed.protocol);
}

export function withoutHost(protocol: string): TopoBenchError {
  return new TopoBenchError('TB_STORE_URL', 'the connection string has no host, and Flink needs one', {
    hint: `write it as ${protocol}//user:password@host:port/`,
  });
}

export function loginBeforeHost(url: string): Login {
  const { username, password } = new URL(url);
  return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
}

/** The login in the query of a connection string has precedence, as in node-postgres and mysql2. */
export function loginOfQuery(url: string): Login {
  const { searchParams } = new URL(url);
  const { user, password } = loginBeforeHost(url);
  return { user: searchParams.get('user') || user, password: searchParams.get('password') || password };
}

export function queryOf(options: Readonly<Record<string, string | number>>): string {
  return Object.entries(options)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}
