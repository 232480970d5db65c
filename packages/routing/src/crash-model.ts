/** What the model of lost requests expects of the crashes of a repetition, before any request is sent. */
import type { GatewayRequest } from '@topo-bench/core';
import type { EventRecord } from '@topo-bench/core/schema/result';
import { expectedLoss, type NeededStep, type RequestKind } from '@topo-bench/deployment';
import type { LoadJob } from '@topo-bench/loadgen';
import { createOracle } from '@topo-bench/oracle';
import { gatewayFor, replicasOf } from '@topo-bench/topology';
import type { ExperimentCell } from '@topo-bench/trial';

/** @param requests of the schedule. @returns the records, those of crashes with their expected figure */
export function withExpectedLoss(
  records: readonly EventRecord[],
  { graph, plan }: Pick<ExperimentCell, 'graph' | 'plan'>,
  { rateRps, durationUs }: Pick<LoadJob, 'rateRps' | 'durationUs'>,
  requests: readonly GatewayRequest[],
): EventRecord[] {
  const crashes = records.filter(({ kind, begin }) => kind === 'crash' && begin.effectiveUs !== undefined);
  if (crashes.length === 0 || !isModelled(graph)) return [...records];
  const downtimes = crashes.flatMap(({ roles, begin, end }) =>
    roles.map((role) => ({
      role,
      fromUs: begin.effectiveUs as number,
      toUs: end?.effectiveUs ?? Number.POSITIVE_INFINITY,
    })),
  );
  const { style } = graph.enforcement;
  const losses = expectedLoss(downtimes, { rateRps, durationUs, style, kinds: kindsOf({ graph, plan }, requests) });
  return records.map((record) => {
    if (!crashes.includes(record)) return record;
    const own = losses.splice(0, record.roles.length);
    return { ...record, expected: own.reduce((sum, one) => sum + one, 0) };
  });
}

/** The model has one process for each point, and every request is sent once, to that one. */
function isModelled({ enforcement }: ExperimentCell['graph']): boolean {
  const { retries = 0, takeover = false, breaker } = enforcement.resilience ?? {};
  return replicasOf(enforcement) === 1 && retries === 0 && !takeover && (breaker?.failures ?? 0) === 0;
}

/** Requests by their gateway and the steps that the rules give them. */
export function kindsOf(
  { graph, plan }: Pick<ExperimentCell, 'graph' | 'plan'>,
  requests: readonly GatewayRequest[],
): RequestKind[] {
  const oracle = createOracle(graph);
  const services = new Map(graph.services.map((service) => [service.name, service]));
  const stepOf = (name: string, called: boolean): NeededStep => {
    const service = services.get(name);
    const executor = plan.executorOf[service?.index ?? -1] ?? name;
    return { executor, ...(called && { service: name }), workUs: called ? (service?.work.meanUs ?? 0) : 0 };
  };
  const counts = new Map<string, number>();
  for (const request of requests) {
    const { steps, deliveries } = oracle.expectedFlow(request);
    const called = new Set(deliveries.map(({ service }) => service));
    // Without enforcement there are no decisions, and each service receives the data.
    const names = steps.length > 0 ? steps.map(({ service }) => service) : [...called];
    const gateway = gatewayFor(graph.gateways, request.origin).name;
    const key = JSON.stringify({ gateway, steps: names.map((name) => stepOf(name, called.has(name))) });
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => ({
    share: count / requests.length,
    ...(JSON.parse(key) as Pick<RequestKind, 'gateway' | 'steps'>),
  }));
}
