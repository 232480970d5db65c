/**
 * The control routes of every role: health, figures, spans and recently seen requests. Used by runners, the experiment
 * and the gateway.
 */
import { headers as headerNames, type RoleStats } from '@topo-bench/core';
import type { FullConfig } from '../full-config.ts';
import type { HopClient } from '../hops/hop-client.ts';
import type { Route } from '../http/http-port.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { tokenGuard } from '../http/token-guard.ts';
import type { LastSeenRing } from './last-seen.ts';
import type { ProcessUsage } from './process-usage.ts';
import type { RoleCounters } from './role-counters.ts';
import type { RoleObservation } from './role-observation.ts';
import type { SpanRecorder } from './span-recorder.ts';

/** Sources of the reported figures. */
export interface Observed {
  counters: RoleCounters;
  usage: ProcessUsage;
  seen: LastSeenRing;
  spans: SpanRecorder;
  client: HopClient;
  /** Figures of the user-supplied service next to this process. */
  userService?: RoleObservation | undefined;
}

export function controlRoutes({ name, kind, secrets }: FullConfig, observed: Observed): Route[] {
  const refuse = tokenGuard(headerNames.control, secrets.controlToken);
  const { counters, usage, seen, spans, client, userService } = observed;
  const health = JSON.stringify({ name, kind });
  return [
    { method: 'GET', path: '/health', handle: (call) => call.answer(200, health) },
    {
      method: 'GET',
      path: '/control/stats',
      refuse,
      handle: (call) => call.answer(200, JSON.stringify(stats())),
    },
    {
      method: 'POST',
      path: '/control/reset',
      refuse,
      handle: (call) => {
        counters.reset();
        usage.reset();
        userService?.reset();
        client.resetCounts();
        spans.take();
        call.answer(200, '{}');
      },
    },
    { method: 'GET', path: '/control/spans', refuse, handle: (call) => call.answer(200, JSON.stringify(spans.take())) },
    {
      method: 'GET',
      path: '/control/seen/:id',
      refuse,
      handle: (call) => {
        const found = seen.find(call.parameter);
        if (!found) throw new HttpProblem(404, 'not-seen', `${name} has not seen this request recently`);
        call.answer(200, JSON.stringify(found));
      },
    },
  ];

  function stats(): RoleStats {
    const { served, servedBefore, inFlight, decisions, ignoredReports, columns } = counters;
    const role: RoleStats = {
      name,
      kind,
      served,
      servedBefore,
      cpuUs: usage.cpuUs,
      rssBytes: process.memoryUsage.rss(),
      eventLoopUtilization: usage.eventLoopUtilization,
      eventLoop: usage.eventLoop,
      collections: usage.collections,
      inFlight,
      ...client.counts(),
      decisions,
      ignoredReports,
      ...(columns.rows > 0 && { columns }),
    };
    return userService?.stats(role) ?? role;
  }
}
