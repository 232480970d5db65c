/**
 * The control routes of every role: health, figures, spans and recently seen requests. Used by runners, the experiment
 * and the gateway.
 */
import {
  type HostClockReading,
  headers as headerNames,
  type LastSeen,
  type OwnRoleTimeline,
  type RoleMemory,
  type RoleStats,
} from '@topo-bench/core';
import { hostClock, hostClockErrorUs, hostClockName, readOwnPssBytes } from '@topo-bench/host';
import type { FullConfig } from '../full-config.ts';
import type { HopClient } from '../hops/hop-client.ts';
import type { Route } from '../http/http-port.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { tokenGuard } from '../http/token-guard.ts';
import type { ProcessUsage } from './process-usage.ts';
import type { RoleCounters } from './role-counters.ts';
import type { SpanRecorder } from './span-recorder.ts';
import type { Traffic } from './traffic.ts';

/** Sources of the reported figures. */
export interface Observed {
  counters: RoleCounters;
  usage: ProcessUsage;
  /** When this role last saw a request. */
  seen(id: string): LastSeen | undefined;
  spans: SpanRecorder;
  client: HopClient;
  traffic: Traffic;
  /** Figures of the user-supplied service next to this process. */
  userService?: RoleObservation | undefined;
}

export function controlRoutes({ name, kind, secrets }: FullConfig, observed: Observed): Route[] {
  const refuse = tokenGuard(headerNames.control, secrets.controlToken);
  const { counters, usage, seen, spans, client, traffic, userService } = observed;
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
        traffic.reset();
        spans.take();
        call.answer(200, '{}');
      },
    },
    {
      method: 'GET',
      path: '/control/timeline',
      refuse,
      handle: (call) => call.answer(200, JSON.stringify(timeline())),
    },
    { method: 'GET', path: '/control/clock', refuse, handle: (call) => call.answer(200, JSON.stringify(readClock())) },
    { method: 'GET', path: '/control/memory', refuse, handle: (call) => call.answer(200, JSON.stringify(memory())) },
    { method: 'GET', path: '/control/spans', refuse, handle: (call) => call.answer(200, JSON.stringify(spans.take())) },
    {
      method: 'GET',
      path: '/control/seen/:id',
      refuse,
      handle: (call) => {
        const found = seen(call.parameter);
        if (!found) throw new HttpProblem(404, 'not-seen', `${name} has not seen this request recently`);
        call.answer(200, JSON.stringify(found));
      },
    },
  ];

  function memory(): RoleMemory {
    // The figure would lack the user-supplied service.
    const pssBytes = userService ? undefined : readOwnPssBytes();
    return { name, kind, ...(pssBytes !== undefined && { pssBytes }) };
  }

  /** A user-supplied service is another process: this one only carries its flow. */
  function timeline(): OwnRoleTimeline {
    const recorded = usage.readTimeline() ?? { startUs: 0, endUs: [], cpuUs: [], busyUs: [], events: [] };
    return { name, kind: userService ? 'carrier' : kind, ...recorded, reading: readClock() };
  }

  function stats(): RoleStats {
    const { served, servedBefore, inFlight, decisions, ignoredReports, columns, repeated } = counters;
    const { sent, sentBytes, receivedBytes, ...connections } = client.counts();
    const role: RoleStats = {
      name,
      kind,
      served,
      servedBefore,
      ...usage.cpu,
      rssBytes: process.memoryUsage.rss(),
      eventLoopUtilization: usage.eventLoopUtilization,
      eventLoop: usage.eventLoop,
      collections: usage.collections,
      inFlight,
      ...connections,
      messages: { received: traffic.messages, sent },
      bytes: { received: traffic.receivedBytes + receivedBytes, sent: traffic.answeredBytes + sentBytes },
      decisions,
      ignoredReports,
      ...(repeated.length > 0 && { repeated }),
      ...(columns.rows > 0 && { columns }),
    };
    return userService?.stats(role) ?? role;
  }
}

function readClock(): HostClockReading {
  return { errorUs: hostClockErrorUs(), clock: hostClockName(), nowUs: hostClock.nowUs() };
}

/** Figures of a second process that a role reports with its own. */
export interface RoleObservation {
  /** Restarts the count. */
  reset(): void;
  /** @param role the figures of this process */
  stats(role: RoleStats): RoleStats;
}
