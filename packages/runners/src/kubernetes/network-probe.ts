/**
 * Requests past the enforcement points, from the gateway, which has no token of any service behind one. The token check
 * must refuse each request that the network passes on; network policies that are enforced pass none on.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Probe, TopoBenchError } from '@topo-bench/core';
import type { NetworkPolicyFigures } from '@topo-bench/core/schema/result';
import type { ControlClient, ControlTarget } from '../control-client.ts';
import { inParallel } from '../in-parallel.ts';

const askedAtOnce = 8;
const pauseMs = 250;
const refused = 401;
/** Until a node knows a new Service, its address can lead out of the cluster, to a proxy that answers anything. */
const settledWithinMs = 15_000;
const unknownRoute = 404;

/**
 * @param services names of services with an enforcement point
 * @param readyAtMs when their pods became ready, as of `performance.now()`
 * @param withinMs how long to probe until the network blocks all of them
 * @param settleMs how long a Service may lead to something else than its pods. Default: 15 s
 * @throws TopoBenchError `TB_INTERNAL` when a service accepts a request without its token
 */
export async function probeNetwork(
  client: ControlClient,
  gateway: ControlTarget,
  services: readonly string[],
  { readyAtMs, withinMs, settleMs = settledWithinMs }: { readyAtMs: number; withinMs: number; settleMs?: number },
): Promise<NetworkPolicyFigures> {
  const startMs = performance.now();
  for (;;) {
    const probes = await inParallel(services, askedAtOnce, async (service) => {
      const path = `/control/probe/${encodeURIComponent(service)}`;
      return { service, ...(await client.ask<Probe>(gateway, 'POST', path)) };
    });
    const ms = performance.now() - startMs;
    const accepted = probes.find(({ status }) => status !== undefined && status !== refused);
    if (accepted && ms < settleMs) {
      await sleep(pauseMs);
      continue;
    }
    if (accepted) {
      const message = `${accepted.service} answered ${accepted.status} to a request past its enforcement point`;
      throw new TopoBenchError('TB_INTERNAL', `${message}, expected ${refused}`);
    }
    const blocked = probes.filter(({ status }) => status === undefined).length;
    const isClosed = blocked === probes.length;
    if (isClosed || ms > withinMs) {
      const probedMs = Math.round(performance.now() - readyAtMs);
      const counts = { probed: probes.length, refusedByService: probes.length - blocked, blockedByNetwork: blocked };
      return { ...counts, ...(isClosed && { openMs: probedMs }), probedMs };
    }
    await sleep(pauseMs);
  }
}

/**
 * Waits until the gateway reaches every role by its Service, or the network blocks it. A connection that was opened
 * before would stay with whatever answered it.
 * @param peers roles that policies let the gateway reach
 * @throws TopoBenchError `TB_ROLE_NOT_READY`
 */
export async function whenServicesAnswer(
  client: ControlClient,
  gateway: ControlTarget,
  roles: readonly string[],
  peers: readonly string[],
): Promise<void> {
  const giveUpAt = performance.now() + settledWithinMs;
  const waiting = new Set(roles);
  for (;;) {
    let last: Probe | undefined;
    await inParallel([...waiting], askedAtOnce, async (role) => {
      const probe = await client.ask<Probe>(gateway, 'POST', `/control/probe/${encodeURIComponent(role)}`);
      const isRole = probe.status === refused || probe.status === unknownRoute;
      const isBlocked = probe.status === undefined && !peers.includes(role);
      if (isRole || isBlocked) waiting.delete(role);
      else last = probe;
    });
    if (waiting.size === 0) return;
    if (performance.now() > giveUpAt) {
      const [role] = waiting;
      const message = `the Service of ${role} does not lead to it: got ${last?.status ?? last?.error}`;
      throw new TopoBenchError('TB_ROLE_NOT_READY', message, { hint: 'check the network plug-in of the cluster' });
    }
    await sleep(pauseMs);
  }
}
