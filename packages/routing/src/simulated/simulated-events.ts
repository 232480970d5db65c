/** The events of an experiment on a simulated deployment: each takes effect at its time. */
import type { EventRecord } from '@topo-bench/core/schema/result';
import { type RoleEvent, roleEvents, rolesOfEvent } from '@topo-bench/deployment';
import type { ReplicationSetup } from '@topo-bench/simulator';
import type { ExperimentCell } from '@topo-bench/trial';
import { eventsOf } from '../load-events.ts';

export interface SimulatedEvents {
  faults: NonNullable<ReplicationSetup['faults']>;
  records: EventRecord[];
}

/** @returns undefined without events */
export function simulatedEvents(cell: ExperimentCell, repetition: number): SimulatedEvents | undefined {
  if (cell.settings.events.length === 0) return undefined;
  const { events, drawnFrom } = eventsOf(cell, repetition);
  return {
    faults: events.filter((event) => event.kind !== 'rules'),
    records: events.map((event, at): EventRecord => {
      const { name, kind, atUs } = event;
      const endUs = endOf(event);
      return {
        ...{ name, kind, roles: [...rolesOfEvent(event)], begin: instantAt(atUs) },
        ...(endUs !== undefined && { end: instantAt(endUs) }),
        ...(at >= drawnFrom && { drawn: true as const }),
      };
    }),
  };
}

/** Why an event cannot be simulated, as the subject of a sentence; undefined if it can. */
export function unsimulatedEvent(cell: ExperimentCell): string | undefined {
  const { events, drawn } = roleEvents(cell.settings.events, cell);
  const rules = events.find(({ kind }) => kind === 'rules');
  if (rules) return `the event ${rules.name}, a change of rules,`;
  const gateways = cell.plan.roles.flatMap(({ kind, name }) => (kind === 'gateway' ? [name] : []));
  // A repetition may draw no crash, and another one does.
  const crashes = [...events.filter((event) => event.kind === 'crash'), ...drawn];
  const crash = crashes.find(({ roles }) => roles.some((role) => gateways.includes(role)));
  return crash && `the event ${crash.name}, a crash of the gateway,`;
}

function endOf(event: RoleEvent): number | undefined {
  if (event.kind === 'rules') return undefined;
  const lastsUs = event.kind === 'crash' ? event.restartUs : event.forUs;
  return lastsUs === undefined ? undefined : event.atUs + lastsUs;
}

function instantAt(atUs: number): EventRecord['begin'] {
  return { atUs, requestedUs: atUs, effectiveUs: atUs };
}
