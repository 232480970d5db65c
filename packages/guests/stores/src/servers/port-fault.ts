/** Whether a port accepts connections: for clients whose errors do not have the reason. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { type ConnectionFault, connectionFault } from './connection-fault.ts';

/**
 * @param address `host:port`
 * @returns why no connection is made; undefined if one is
 */
export async function portFault(address: string, timeoutMs: number): Promise<ConnectionFault | undefined> {
  const at = address.lastIndexOf(':');
  const host = address.slice(0, at).replace(/^\[(.*)\]$/, '$1');
  const socket = connect({ host, port: Number(address.slice(at + 1)) });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) });
    return undefined;
  } catch (error) {
    return connectionFault(error) ?? connectionFault(new Error('timeout'));
  } finally {
    socket.destroy();
  }
}
