/** Pings a database server through its own driver: an open port alone does not mean that it serves. */
import type { StoreEngine } from '@topo-bench/core';
import { engines } from '../engines.ts';
import { withoutPasswords } from './connection-strings.ts';

const timeoutMs = 3000;

/**
 * A failed ping in words, without passwords: the server rejects the login, or does not answer.
 * @param url address of the server
 */
export async function describeFailure(
  engine: StoreEngine,
  url: string,
  error: Error,
): Promise<{ isLogin: boolean; text: string }> {
  const { isLoginFailure } = await engines[engine].ping();
  const reason = withoutPasswords(error.message);
  if (!isLoginFailure(error)) return { isLogin: false, text: `does not answer: ${reason}` };
  const [user, hasPassword] = loginOf(url);
  const given = `${user === '' ? 'no user' : `user ${user}`} ${hasPassword ? 'with a password' : 'without a password'}`;
  // The texts of drivers name internals such as SASL messages.
  return { isLogin: true, text: `answers, but rejects the login: got ${given}` };
}

/** User and whether there is a password, in the authority or in the options. */
function loginOf(url: string): [user: string, hasPassword: boolean] {
  const [, user = '', password = ''] = /^[^:]+:\/\/([^:@/?]*)(?::([^?]*))?@/.exec(url) ?? [];
  const options = new URLSearchParams(/\?([^#]*)/.exec(url)?.[1]);
  return [user || (options.get('user') ?? ''), (password || options.get('password') || '') !== ''];
}

/** Rejects with the driver's error when the server does not answer. */
export async function ping(engine: StoreEngine, url: string): Promise<void> {
  const { ping } = await engines[engine].ping();
  return ping(url, timeoutMs);
}

/** The driver's error when the server does not answer; undefined when it does. */
export async function pingFailure(engine: StoreEngine, url: string): Promise<Error | undefined> {
  try {
    await ping(engine, url);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
