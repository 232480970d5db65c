/** The events of an experiment on a simulated deployment: faults take effect at their times, rules when they arrive. */
import type { EventRecord } from '@topo-bench/core/schema/result';
import { type RoleEvent, rolesOfEvent } from '@topo-bench/deployment';
import { type EventsOfLoad, nextPollUs, timedRuleChange } from '@topo-bench/simulator';
import { type Graph, gatewayName } from '@topo-bench/topology';
import type { ExperimentCell } from '@topo-bench/trial';
import type { CheckedChange } from '../check-versions.ts';
import { changesOfRules, eventsOf } from '../load-events.ts';

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
      ...timedRuleChange(event.atUs, change, (role, nowUs) =>
        fetchedAfterUs(cell, { repetition, events }, role, nowUs),
      ),
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

/** Time until a point has asked a gateway that is up. One that continues answers questions that came meanwhile. */
function fetchedAfterUs(
  { graph, settings: { seed } }: ExperimentCell,
  { repetition, events }: { repetition: number; events: readonly RoleEvent[] },
  role: string,
  nowUs: number,
): number {
  const pollAfterUs = (us: number): number => us + nextPollUs(graph, { seed, repetition }, role, us);
  let atUs = pollAfterUs(nowUs);
  for (const event of [...events].sort((one, other) => one.atUs - other.atUs)) {
    const stops = event.kind === 'crash' || event.kind === 'freeze';
    if (!stops || !event.roles.includes(gatewayName) || atUs < event.atUs) continue;
    const upUs = endOf(event) ?? Number.POSITIVE_INFINITY;
    if (atUs >= upUs) continue;
    const asksAgain = event.kind === 'crash' && Number.isFinite(upUs);
    atUs = asksAgain ? pollAfterUs(upUs) : upUs;
  }
  return atUs - nowUs;
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
