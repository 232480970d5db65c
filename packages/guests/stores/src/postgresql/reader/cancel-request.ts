/**
 * Cancels the running query of a client by the protocol's own request. Process ids of a client behind a pooler are the
 * pooler's: a function of the server would end the session of another one.
 * Source: https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS
 */
import { connect } from 'node:net';
import type { Client } from 'pg';

const code = 80_877_102;

/** Resolves when the server has taken the request, or cannot be reached. */
export function cancelRequest(client: Client, timeoutMs: number): Promise<void> {
  const { host, port, processID, secretKey } = client as Client & { processID: number; secretKey: number };
  const message = Buffer.alloc(16);
  for (const [place, value] of [message.length, code, processID, secretKey].entries())
    message.writeInt32BE(value | 0, place * 4);
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect({ host, port });
  return new Promise((resolve) => {
    socket.setTimeout(timeoutMs, () => socket.destroy());
    socket.on('error', () => {});
    socket.once('close', () => resolve());
    socket.once('connect', () => socket.write(message));
    socket.resume();
  });
}
