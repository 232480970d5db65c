/** The output of a connector that is sent to a converter instead of standard output. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { TopoBenchError } from '@topo-bench/core';
import type { DeliveryAddress } from '../conversion/converter-settings.ts';

const connectsWithinMs = 20_000;
const pauseMs = 50;

/**
 * Connects and sends the token.
 * @throws TopoBenchError `TB_CONNECTOR_FAILED`
 */
export async function openDelivery({ host, port, token }: DeliveryAddress): Promise<Socket> {
  const giveUpAt = performance.now() + connectsWithinMs;
  for (;;) {
    try {
      const socket = await opened(host, port);
      socket.write(`${token}\n`);
      return socket;
    } catch (cause) {
      // The address of a pod may become reachable a moment after its start.
      if (performance.now() < giveUpAt) await sleep(pauseMs);
      else {
        const message = `the converter at ${host}:${port} cannot be reached: ${(cause as Error).message}`;
        throw new TopoBenchError('TB_CONNECTOR_FAILED', message, { cause });
      }
    }
  }
}

function opened(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true });
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
    socket.once('error', reject);
  });
}
