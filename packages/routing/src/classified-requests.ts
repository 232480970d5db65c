/** Requests by class, and what planned events did to them, for cells of measured and of simulated repetitions. */
import { isEnforced, type Sample } from '@topo-bench/core';
import type { Cell, EventEffects, EventRecord } from '@topo-bench/core/schema/result';
import { decidersOf } from '@topo-bench/deployment';
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
  /** Errors that are those of an event. */
  plannedErrors: number;
  /** Empty without events. */
  overTime: Pick<Cell, 'classesOverTime' | 'events'>;
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
  const by: EffectsOptions = {
    ...given,
    deadlineUs: graph.deadlines.requestUs,
    enforces: isEnforced(graph.enforcement.architecture),
    gatewaysOf: (name) => gatewaysOf.get(name) ?? [],
    ...(breaker && { breakerUs: breaker.openFor + 2 * graph.deadlines.hopUs }),
    executorsOf: (service) => {
      const point = plan.executorOf[graph.services.findIndex(({ name }) => name === service)];
      return point === undefined ? [] : decidersOf(plan, point);
    },
  };
  const { effects, errors: plannedErrors } = effectsOfEvents(samples, events, by);
  return {
    classes: requestClasses(samples, by, scheduled),
    plannedErrors,
    overTime:
      events.length === 0
        ? {}
        : {
            classesOverTime: classesOverTime(samples, by, given.durationUs),
            events: events.map((event, index) => ({ ...event, effects: effects[index] as EventEffects })),
          },
  };
}
