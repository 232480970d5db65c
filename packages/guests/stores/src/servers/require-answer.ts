/** Checks that a user-supplied server answers, to this process and at the address that roles in containers use. */
import { isIP } from 'node:net';
import {
  addressOf,
  hasLoopback,
  isLoopback,
  type ServerReach,
  type StoreEngine,
  seenByRoles,
  TopoBenchError,
} from '@topo-bench/core';
import { connectionFault } from './connection-fault.ts';
import { type NamedServer, serverAddress, withoutPasswords } from './connection-strings.ts';
import { describeFailure, ping } from './ping.ts';

/** @throws TopoBenchError `TB_STORE_UNREACHABLE`, `TB_STORE_LOGIN` */
export async function requireAnswer(
  engine: StoreEngine,
  { url, source }: NamedServer,
  reach: ServerReach,
): Promise<void> {
  const server = `the ${engine} server at ${withoutPasswords(url)} (named by ${source})`;
  await ping(engine, url).catch(async (cause: Error) => {
    const { isLogin, text, hint } = await describeFailure(engine, url, cause);
    if (!isLogin) throw unreachable(`the ${engine} server (named by ${source}) ${text}`, hint, cause);
    throw new TopoBenchError('TB_STORE_LOGIN', `${server} ${text}`, {
      hint: `correct user and password in ${source}, with special characters percent-encoded, e.g. %40 for @`,
      cause,
    });
  });
  if (reach.containers && serverAddress(url).startsWith('/'))
    throw unreachable(`${server} has a socket, which containers do not reach`, 'give an address with host and port');
  if (!hasLoopback(url)) return;
  if (reach.loopback === undefined) {
    const hint = 'give an address that they reach';
    throw unreachable(`${server} is on this machine, which the roles of this runner do not reach`, hint);
  }
  // Only containers can resolve a name of the engine's machine. Behind it, the engine forwards to loopback addresses.
  const address = addressOf(reach.loopback);
  if (isLoopback(address) || isIP(address) === 0) return;
  const seen = seenByRoles(url, reach);
  await ping(engine, seen).catch(async (cause: Error) => {
    const reason = connectionFault(cause)?.text ?? (await describeFailure(engine, seen, cause)).text;
    const message = `${server} does not answer at ${serverAddress(seen)}, where the roles reach it: ${reason}`;
    const hint = `let it listen on ${address} as well, and admit its user from there; or give another address`;
    throw unreachable(message, hint, cause);
  });
}

function unreachable(message: string, hint: string, cause?: Error): TopoBenchError {
  return new TopoBenchError('TB_STORE_UNREACHABLE', message, { hint, ...(cause && { cause }) });
}
