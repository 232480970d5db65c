/**
 * The data route of a service behind an enforcement point: `POST /work`. Answers when the work is done, with digests of
 * the received payload.
 */
import { headers as headerNames } from '@topo-bench/core';
import { deliveredDigests } from '@topo-bench/core/delivered-digest';
import type { WorkMessage } from '@topo-bench/flow';
import { type Route, roleBodyLimitBytes } from '../http/http-port.ts';
import { tokenGuard } from '../http/token-guard.ts';
import type { RoleParts } from '../role-parts.ts';
import type { ServiceWork } from './service-work.ts';

type Parts = Pick<RoleParts, 'config' | 'counters' | 'seen' | 'spans' | 'links' | 'clock'>;

export function workRoutes({ config, counters, seen, spans, links, clock }: Parts, work: ServiceWork): Route[] {
  const { name, graph, responsibleFor, secrets } = config;
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
        const { id, from, hop, request } = call.body as WorkMessage;
        counters.inFlight++;
        try {
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
          const ownUs = spans.traces(id) ? `"ownUs":${clock.nowUs() - call.parsedAtUs},` : '';
          call.answer(200, `{"delivered":${digests},${ownUs}"answer":"${answer}"}`);
        } finally {
          counters.inFlight--;
        }
      },
    },
  ];
}
