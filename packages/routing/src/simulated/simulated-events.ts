/** The events of an experiment on a simulated deployment: faults take effect at their times, rules when they arrive. */
import type { EventRecord } from '@topo-bench/core/schema/result';
import { type DeploymentRuleChange, type RoleEvent, rolesOfEvent, ruleStages } from '@topo-bench/deployment';
import type { EventsOfLoad } from '@topo-bench/simulator';
import { type Graph, gatewayName } from '@topo-bench/topology';
import type { ExperimentCell } from '@topo-bench/trial';
import { streams } from '@topo-bench/workload';
import type { CheckedChange } from '../check-versions.ts';
import { changesOfRules, eventsOf } from '../load-events.ts';

type TimedRuleChange = NonNullable<EventsOfLoad['changes']>[number];

export interface SimulatedEvents extends Required<EventsOfLoad> {
  /** After the load, in the order of the experiment. */
  records(): EventRecord[];
  /** Each change of the rules, in the order of their times. */
  checkedChanges(records: readonly EventRecord[]): CheckedChange[];
}

/** @returns undefined without events */
export function simulatedEvents(cell: ExperimentCell, repetition: number): SimulatedEvents | undefined {
  if (cell.settings.events.length === 0) return undefined;
  const { events, drawnFrom } = eventsOf(cell, repetition);
  const rules = changesOfRules(events, cell);
  const confirmedUs = new Map<RoleEvent, number>();
  return {
    faults: events.filter((event) => event.kind !== 'rules'),
    changes: [...rules].map(([event, change]) => ({
      ...timedChange(event.atUs, change, (role, nowUs) => fetchedAfterUs(cell, { repetition, events }, role, nowUs)),
      confirmed: (us: number) => confirmedUs.set(event, us),
    })),
    records: () =>
      events.map((event, at): EventRecord => {
        const { name, kind, atUs } = event;
        const endUs = endOf(event);
        const begin = kind === 'rules' ? rulesInstant(atUs, confirmedUs.get(event)) : instantAt(atUs);
        return {
          ...{ name, kind, roles: [...rolesOfEvent(event)], begin },
          ...(endUs !== undefined && { end: instantAt(endUs) }),
          ...(at >= drawnFrom && { drawn: true as const }),
        };
      }),
    checkedChanges: (records) =>
      [...rules].map(([event, change], i) => {
        const record = records[events.indexOf(event)] as EventRecord;
        return { change, record, graph: cell.changedRules?.[i] as Graph };
      }),
  };
}

/** Messages take the time of messages between processes. A fetched part waits for the next question of its point. */
function timedChange(
  atUs: number,
  change: DeploymentRuleChange,
  waitUs: (role: string, nowUs: number) => number,
): TimedRuleChange {
  const stages = ruleStages(change).map((stage) =>
    stage.map(({ isFetched, ...message }) => {
      return { ...message, delayUs: isFetched ? (nowUs: number) => waitUs(message.to, nowUs) : 0 };
    }),
  );
  return { atUs, stages };
}

/** Time until a point has asked a gateway that is up. One that continues answers questions that came meanwhile. */
function fetchedAfterUs(
  cell: ExperimentCell,
  { repetition, events }: { repetition: number; events: readonly RoleEvent[] },
  role: string,
  nowUs: number,
): number {
  let atUs = nowUs + nextPollUs(cell, repetition, role, nowUs);
  for (const event of [...events].sort((one, other) => one.atUs - other.atUs)) {
    const stops = event.kind === 'crash' || event.kind === 'freeze';
    if (!stops || !event.roles.includes(gatewayName) || atUs < event.atUs) continue;
    const upUs = endOf(event) ?? Number.POSITIVE_INFINITY;
    if (atUs >= upUs) continue;
    const asksAgain = event.kind === 'crash' && Number.isFinite(upUs);
    atUs = upUs + (asksAgain ? nextPollUs(cell, repetition, role, upUs) : 0);
  }
  return atUs - nowUs;
}

/** Time until a point asks again. Points have begun to ask at any time; with `stream` a question is always open. */
function nextPollUs({ graph, settings }: ExperimentCell, repetition: number, role: string, nowUs: number): number {
  const { distribution } = graph.enforcement;
  if (typeof distribution !== 'object') return 0;
  const { poll: everyUs } = distribution;
  const firstUs = streams.polls(settings.seed, repetition, role).uniform() * everyUs;
  const polls = Math.max(0, Math.ceil((nowUs - firstUs) / everyUs));
  return firstUs + polls * everyUs - nowUs;
}

function endOf(event: RoleEvent): number | undefined {
  if (event.kind === 'rules') return undefined;
  const lastsUs = event.kind === 'crash' ? event.restartUs : event.forUs;
  return lastsUs === undefined ? undefined : event.atUs + lastsUs;
}

function instantAt(atUs: number): EventRecord['begin'] {
  return { atUs, requestedUs: atUs, effectiveUs: atUs };
}

/** A change that no load has confirmed is unfinished, as in a measured run. */
function rulesInstant(atUs: number, confirmedUs: number | undefined): EventRecord['begin'] {
  return { atUs, requestedUs: atUs, ...(confirmedUs !== undefined && { effectiveUs: confirmedUs }) };
}
