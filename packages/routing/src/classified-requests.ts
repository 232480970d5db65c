/** Requests by class, and what planned events did to them, for cells of measured and of simulated repetitions. */
import { isEnforced, type Sample } from '@topo-bench/core';
import type { Cell, EventEffects, EventRecord } from '@topo-bench/core/schema/result';
import { decidersOf, replicasOfPoint } from '@topo-bench/deployment';
import { classesOverTime, type EffectsOptions, effectsOfEvents, requestClasses } from '@topo-bench/results';
import { gatewayFor } from '@topo-bench/topology';
import type { ExperimentCell } from '@topo-bench/trial';

export interface RequestsUnderEvents extends Pick<EffectsOptions, 'durationUs' | 'stale' | 'torn'> {
  samples: readonly Sample[];
  /** In the order of the experiment. */
  events: readonly EventRecord[];
  /** Ids of requests on which a service worked twice. */
  repeated: ReadonlySet<string>;
  /** Requests of the schedule. */
  scheduled: number;
}

export interface ClassifiedRequests {
  classes: NonNullable<Cell['classes']>;
  /** Errors that no event explains, by kind. */
  unplannedErrors: Record<string, number>;
  /** Further fields: those of events, and steps that were taken over. */
  fields: Pick<Cell, 'classesOverTime' | 'events' | 'takenOver'>;
}

export function classifiedRequests(
  { graph, plan }: ExperimentCell,
  { samples, events, scheduled, ...given }: RequestsUnderEvents,
): ClassifiedRequests {
  const gatewaysOf = new Map(
    graph.requestClasses.map(({ name, origin }) => {
      const origins = typeof origin === 'string' ? [origin] : Object.keys(origin);
      return [name, [...new Set(origins.map((one) => gatewayFor(graph.gateways, one).name))]];
    }),
  );
  // The last message before the end may fail and open it again, and so may the one after that time.
  const { breaker } = graph.enforcement.resilience ?? {};
  const { takeover } = plan;
  const pointOf = (service: string): string | undefined =>
    plan.executorOf[graph.services.findIndex(({ name }) => name === service)];
  const by: EffectsOptions = {
    ...given,
    deadlineUs: graph.deadlines.requestUs,
    enforces: isEnforced(graph.enforcement.architecture),
    gatewaysOf: (name) => gatewaysOf.get(name) ?? [],
    ...(breaker && { breakerUs: breaker.openFor + 2 * graph.deadlines.hopUs }),
    executorsOf: (service) => {
      const point = pointOf(service);
      return point === undefined ? [] : decidersOf(plan, point);
    },
    ...(takeover && { pointOf: (service: string) => replicasOfPoint(plan, pointOf(service) ?? '') }),
  };
  const { effects, unplanned: unplannedErrors } = effectsOfEvents(samples, events, by);
  return {
    classes: requestClasses(samples, by, scheduled),
    unplannedErrors,
    fields: {
      ...(events.length > 0 && {
        classesOverTime: classesOverTime(samples, by, given.durationUs),
        events: events.map((event, index) => ({ ...event, effects: effects[index] as EventEffects })),
      }),
      ...(takeover && { takenOver: takenOverSteps(samples) }),
    },
  };
}

function takenOverSteps(samples: readonly Sample[]): NonNullable<Cell['takenOver']> {
  const counts = samples.map(({ steps }) => steps.filter(({ takenOver }) => takenOver).length);
  return { requests: counts.filter((count) => count > 0).length, steps: counts.reduce((sum, count) => sum + count, 0) };
}
