/** The data route of a service behind an enforcement point: `POST /work`, answered when the work is done. */
import { headers as headerNames } from '@topo-bench/core/control';
import type { RoleConfig } from '@topo-bench/core/role-config';
import type { LastSeenRing } from '../control/last-seen.ts';
import type { RoleCounters } from '../control/role-counters.ts';
import type { SpanRecorder } from '../control/span-recorder.ts';
import type { WorkMessage } from '../executor/flow-message.ts';
import type { LinkDelays } from '../hops/link-delay.ts';
import { type Route, roleBodyLimitBytes } from '../http/http-port.ts';
import { tokenGuard } from '../http/token-guard.ts';
import type { ServiceWork } from './service-work.ts';

export function workRoutes(
  { name, token, graph, responsibleFor }: RoleConfig,
  work: ServiceWork,
  counters: RoleCounters,
  seen: LastSeenRing,
  spans: SpanRecorder,
  links: LinkDelays,
): Route[] {
  const responseBytes = graph.services[responsibleFor[0] as number]?.responseBytes ?? 0;
  const answer = jsonOfSize(responseBytes);
  return [
    {
      method: 'POST',
      path: '/work',
      bodyLimitBytes: roleBodyLimitBytes,
      refuse: tokenGuard(headerNames.token, token),
      handle: async (call) => {
        const { id, from, hop, sentUs } = call.body as WorkMessage;
        counters.inFlight++;
        try {
          spans.end(sentUs, id, 'queued', name);
          seen.touch({ id, done: 0 });
          await work.run(id);
          const delayUs = links.delayUs(from, id, hop);
          if (delayUs > 0) {
            const startUs = spans.start(id);
            await links.sleep(delayUs);
            spans.end(startUs, id, 'link', name);
          }
          counters.served++;
          call.answer(200, answer);
        } finally {
          counters.inFlight--;
        }
      },
    },
  ];
}

/** A JSON text of exactly that many bytes (of one byte at least, unless empty). */
function jsonOfSize(bytes: number): string {
  if (bytes < 2) return '1'.repeat(bytes);
  return `"${'x'.repeat(bytes - 2)}"`;
}
