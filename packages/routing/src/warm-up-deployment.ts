/**
 * Brings a deployment into the state in which it is measured: warm before the first cell, idle before each later one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Entry, warmUp } from '@topo-bench/loadgen';
import { gatewayUrlsOf } from '@topo-bench/measured';
import type { Deployment } from '@topo-bench/runners';
import { type WarmUpRecord, warmUpRecord } from '@topo-bench/study-kit/warm-up-record';
import type { Graph } from '@topo-bench/topology';
import type { ExperimentCell, MeasureContext } from '@topo-bench/trial';

/** Path of the gateway that takes requests. */
export const requestsPath = '/requests';

const idleCheckMs = 250;

/** Where requests enter, by region; undefined for one gateway. @param urls in the order of the graph */
export function entriesOf({ gateways }: Graph, urls: readonly string[]): Entry[] | undefined {
  if (gateways.length === 1) return undefined;
  return gateways.map(({ region }, at) => ({ region, url: urls[at] + requestsPath }));
}

export async function warmUpDeployment(
  deployment: Deployment,
  { settings: { warmup, seed }, graph }: ExperimentCell,
  { signal }: MeasureContext,
): Promise<WarmUpRecord> {
  if (warmup.max === 0) return { warm: true };
  await deployment.reset();
  // Alternatives receive only rerouted requests, so the warm-up does not count theirs. User-supplied services do not
  // report their requests; throughput settles with them.
  const outside = new Set(
    graph.services.filter(({ alternative, user }) => alternative || user).map(({ name }) => name),
  );
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
    servedPerProcess: async () =>
      (await deployment.stats()).filter(({ name }) => !outside.has(name)).map(({ served }) => served),
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
