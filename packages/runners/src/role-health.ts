/** Waits until a role answers its health check. A container takes some time until it listens. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { TopoBenchError } from '@topo-bench/core';
import type { ControlClient, ControlTarget } from './control-client.ts';

const pauseMs = 50;

/** Connection errors while no process listens yet, or the name is not yet resolvable. */
const notYet = new Set(['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN']);

/**
 * @param signal ends the wait
 * @throws TopoBenchError `TB_ROLE_NO_ANSWER` for an answer that is not healthy; the reason of the signal
 */
export async function whenHealthy(client: ControlClient, role: ControlTarget, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await client.ask(role, 'GET', '/health', signal);
    } catch (error) {
      signal.throwIfAborted();
      const cause = (error as TopoBenchError).cause as NodeJS.ErrnoException | undefined;
      if (!notYet.has(cause?.code ?? '')) throw error;
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
