/** Pings a database server through its own driver: an open port alone does not mean that it serves. */
import type { StoreEngine } from '@topo-bench/core';
import { engines } from '../engines.ts';
import { connectionFault } from './connection-fault.ts';
import { serverAddress, withoutPasswords } from './connection-strings.ts';

const timeoutMs = 3000;

interface PingFailure {
  isLogin: boolean;
  /** Follows the name of the server: what was tried, and what failed. */
  text: string;
  /** How to correct an address that does not work. */
  hint: string;
}

/**
 * A failed ping in words, without users and passwords: the server rejects the login, refuses, or does not answer.
 * @param url address of the server
 */
export async function describeFailure(engine: StoreEngine, url: string, error: Error): Promise<PingFailure> {
  const { isLoginFailure } = await engines[engine].ping();
  if (!isLoginFailure(error)) return { isLogin: false, ...answerFailure(url, error) };
  const [user, hasPassword] = loginOf(url);
  const given = `${user === '' ? 'no user' : `user ${user}`} ${hasPassword ? 'with a password' : 'without a password'}`;
  // The texts of drivers name internals such as SASL messages.
  const text = `answers, but rejects the login: got ${given}`;
  return { isLogin: true, text, hint: 'correct user and password of the address' };
}

function answerFailure(url: string, error: Error): Pick<PingFailure, 'text' | 'hint'> {
  const tried = addressText(url);
  const fault = connectionFault(error);
  if (fault) return { text: `does not answer: tried ${tried}, and ${fault.text}`, hint: fault.hint };
  const reason = withoutPasswords(error.message) || 'the driver has no reason';
  const hint = /startup parameter/.test(reason)
    ? 'leave the options of the session out of the address: the pooler in front of the server refuses them'
    : 'correct the address, with special characters percent-encoded';
  return { text: `cannot be used: tried ${tried}, and got: ${reason}`, hint };
}

/** Protocol, host and port: `postgresql://db:5432`, without user, database and options. */
function addressText(url: string): string {
  const address = serverAddress(url);
  // With special characters that are not encoded, any part may be the password.
  const isReadable = address.split(',').every((host) => /^(\/.*|\[[\da-f:.%]+\](:\d+)?|[^:@[\]]+(:\d+)?)$/.test(host));
  return `${/^[a-z+]+:/.exec(url)?.[0] ?? ''}//${isReadable ? address : '…'}`;
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
