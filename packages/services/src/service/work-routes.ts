/**
 * The data route of a service behind an enforcement point: `POST /work`, answered when the work is done, with digests of what has
 * been received.
 */
import { headers as headerNames } from '@topo-bench/core/control';
import { deliveredDigests } from '@topo-bench/core/delivered-digest';
import type { WorkMessage } from '@topo-bench/flow';
import type { LastSeenRing } from '../control/last-seen.ts';
import type { RoleCounters } from '../control/role-counters.ts';
import type { SpanRecorder } from '../control/span-recorder.ts';
import type { FullConfig } from '../full-config.ts';
import type { LinkDelays } from '../hops/link-delay.ts';
import { type Route, roleBodyLimitBytes } from '../http/http-port.ts';
import { tokenGuard } from '../http/token-guard.ts';
import type { ServiceWork } from './service-work.ts';

export function workRoutes(
  { name, secrets, graph, responsibleFor }: FullConfig,
  work: ServiceWork,
  counters: RoleCounters,
  seen: LastSeenRing,
  spans: SpanRecorder,
  links: LinkDelays,
): Route[] {
  const { token, digestKey } = secrets;
  const responseBytes = graph.services[responsibleFor[0] as number]?.responseBytes ?? 0;
  const answer = 'x'.repeat(responseBytes);
  return [
    {
      method: 'POST',
      path: '/work',
      bodyLimitBytes: roleBodyLimitBytes,
      refuse: tokenGuard(headerNames.token, token),
      handle: async (call) => {
        const { id, from, hop, sentUs, request } = call.body as WorkMessage;
        counters.inFlight++;
        try {
          spans.end(sentUs, id, 'queued', name);
          seen.touch({ id, done: 0 });
          const digests = JSON.stringify(deliveredDigests(request.payload, digestKey));
          await work.run(id);
          const delayUs = links.delayUs(from, id, hop);
          if (delayUs > 0) {
            const startUs = spans.start(id);
            await links.sleep(delayUs);
            spans.end(startUs, id, 'link', name);
          }
          counters.served++;
          call.answer(200, `{"delivered":${digests},"answer":"${answer}"}`);
        } finally {
          counters.inFlight--;
        }
      },
    },
  ];
}
