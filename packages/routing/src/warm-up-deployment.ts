/**
 * Brings a deployment into the state in which it is measured: warm before the first cell, idle before each later one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RoleStats } from '@topo-bench/core';
import { type Entry, warmUp } from '@topo-bench/loadgen';
import { gatewayUrlsOf } from '@topo-bench/measured';
import type { Deployment } from '@topo-bench/runners';
import { type WarmUpRecord, warmUpRecord } from '@topo-bench/study-kit/warm-up-record';
import { type Graph, gatewayShares } from '@topo-bench/topology';
import type { ExperimentCell, MeasureContext } from '@topo-bench/trial';

/** Path of the gateway that takes requests. */
export const requestsPath = '/requests';

const idleCheckMs = 250;

/** Where requests enter, by region; undefined for one gateway. @param urls in the order of the graph */
export function entriesOf({ gateways }: Graph, urls: readonly string[]): Entry[] | undefined {
  if (gateways.length === 1) return undefined;
  return gateways.map(({ region }, at) => ({ region, url: urls[at] + requestsPath }));
}

/**
 * Served requests by which the warm-up judges each process. Alternatives receive only rerouted requests, so it does not
 * count theirs. User-supplied services do not report their requests; throughput settles with them. A gateway where few
 * requests enter needs its share of an even spread, and one where none enter nothing.
 */
export function servedOf(stats: readonly Pick<RoleStats, 'name' | 'served'>[], graph: Graph): number[] {
  const outside = new Set(
    graph.services.filter(({ alternative, user }) => alternative || user).map(({ name }) => name),
  );
  const { gateways } = graph;
  const shares = new Map(gatewayShares(graph).map((share, at) => [gateways[at]?.name, share * gateways.length]));
  return stats.flatMap(({ name, served }) => {
    const share = Math.min(1, shares.get(name) ?? 1);
    return outside.has(name) || share === 0 ? [] : [served / share];
  });
}

export async function warmUpDeployment(
  deployment: Deployment,
  { settings: { warmup, seed }, graph }: ExperimentCell,
  { signal }: MeasureContext,
): Promise<WarmUpRecord> {
  if (warmup.max === 0) return { warm: true };
  await deployment.reset();
  const entries = entriesOf(graph, gatewayUrlsOf(deployment));
  const result = await warmUp({
    url: deployment.gatewayUrl + requestsPath,
    ...(entries && { entries }),
    request: { kind: 'generated', classes: graph.requestClasses },
    seed,
    connections: warmup.connections,
    windowUs: warmup.window,
    maxUs: warmup.max,
    requests: warmup.requests,
    change: warmup.change,
    servedPerProcess: async () => servedOf(await deployment.stats(), graph),
    signal,
  });
  return warmUpRecord(result);
}

/**
 * Waits until no role has an open request.
 * @returns false if a role still has some after `boundUs`, or does not answer
 */
export async function awaitIdle(deployment: Deployment, boundUs: number, signal: AbortSignal): Promise<boolean> {
  const endMs = performance.now() + boundUs / 1e3;
  while (performance.now() < endMs) {
    signal.throwIfAborted();
    const stats = await deployment.stats().catch(() => undefined);
    if (!stats) return false;
    if (stats.every(({ inFlight, queued }) => inFlight === 0 && queued === 0)) return true;
    await sleep(idleCheckMs);
  }
  return false;
}
