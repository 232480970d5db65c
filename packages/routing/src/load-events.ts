/**
 * The events of an experiment on a deployment under load: each begins and ends by a change that the runner applies.
 * Their records have the times at which both were asked for and had taken effect.
 */
import type { MessageFaults } from '@topo-bench/core';
import type { EventInstant, EventRecord } from '@topo-bench/core/schema/result';
import {
  type CrashEvent,
  type DeploymentRuleChange,
  type DrawnCrashes,
  type RoleEvent,
  type RulesEvent,
  roleEvents,
  rolesOfEvent,
  ruleChange,
} from '@topo-bench/deployment';
import type { Deployment, ProcessChange } from '@topo-bench/runners';
import type { Graph } from '@topo-bench/topology';
import type { ExperimentCell, LoadEvent, LoadEventRecord } from '@topo-bench/trial';
import { crashTimesUs } from '@topo-bench/workload/crash-times';

type Change = (signal: AbortSignal) => Promise<void>;
type MessageEvent = Extract<RoleEvent, { kind: 'slow' | 'partition' }>;
type Applies = Pick<Deployment, 'apply' | 'changeRules'>;

export class DeploymentEvents {
  /** Begin and end of each event, for the load window. */
  readonly forLoad: readonly LoadEvent[];
  /** Those at stated times first. */
  readonly #events: readonly RoleEvent[];
  readonly #drawnFrom: number;
  readonly #deployment: Applies;
  readonly #frozen = new Set<string>();
  /** By role: its last restart. */
  readonly #restarts = new Map<string, Promise<void>>();
  readonly #lasting = new Set<MessageEvent>();
  /** By event: computed before the load. */
  readonly #rules: ReadonlyMap<RoleEvent, DeploymentRuleChange>;
  #changing = false;
  #hasEnded = false;

  /** @param repetition drawn events depend on it */
  constructor(cell: ExperimentCell, deployment: Applies, repetition: number) {
    const { events, drawnFrom } = eventsOf(cell, repetition);
    this.#drawnFrom = drawnFrom;
    this.#events = events;
    this.#deployment = deployment;
    this.#rules = changesOfRules(this.#events, cell);
    this.forLoad = this.#events.flatMap((event) => this.#instants(event));
  }

  /** Whether a role was killed or has other rules: the deployment is no longer the one that was warmed up. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Each change of the rules, in the order of their times, with its record in `recordsOf`. */
  rulesOf(records: readonly EventRecord[]): { change: DeploymentRuleChange; record: EventRecord }[] {
    return [...this.#rules].map(([event, change]) => {
      return { change, record: records[this.#events.indexOf(event)] as EventRecord };
    });
  }

  /** Ends what a short load has left: a frozen role answers no questions. */
  async undo(): Promise<void> {
    const { signal } = new AbortController();
    await this.#all('thaw', [...this.#frozen], signal);
    for (const event of this.#lasting) await this.#messages(event, 'end', signal);
  }

  /** @param records of `forLoad`, in their order */
  recordsOf(records: readonly LoadEventRecord[]): EventRecord[] {
    let next = 0;
    return this.#events.map((event, at): EventRecord => {
      const { name, kind } = event;
      const isDrawn = at >= this.#drawnFrom;
      const begin = instantOf(records[next++] as LoadEventRecord);
      const end = endsInLoad(event) ? (records[next++] as LoadEventRecord) : undefined;
      return {
        ...{ name, kind, roles: [...rolesOfEvent(event)], begin },
        ...(end && !(isDrawn && outlastsLoad(end)) && { end: instantOf(end) }),
        ...(isDrawn && { drawn: true as const }),
      };
    });
  }

  #instants(event: RoleEvent): LoadEvent[] {
    switch (event.kind) {
      case 'crash':
        return this.#pair(event, event.restartUs, {
          begin: (signal) => this.#all('kill', event.roles, signal),
          end: (signal) => this.#all('restart', event.roles, signal),
        });
      case 'freeze':
        return this.#pair(event, event.forUs, {
          begin: (signal) => this.#all('freeze', event.roles, signal),
          end: (signal) => this.#all('thaw', event.roles, signal),
        });
      case 'slow':
      case 'partition':
        return this.#pair(event, event.forUs, {
          begin: (signal) => this.#messages(event, 'begin', signal),
          end: (signal) => this.#messages(event, 'end', signal),
        });
      case 'rules':
        return [{ name: event.name, atUs: event.atUs, apply: (signal) => this.#changeRules(event, signal) }];
    }
  }

  async #changeRules(event: RulesEvent, signal: AbortSignal): Promise<void> {
    if (this.#changing) throw new Error('another change of rules was in progress');
    this.#changing = true;
    this.#hasEnded = true;
    try {
      await this.#deployment.changeRules(this.#rules.get(event) as DeploymentRuleChange, signal);
    } finally {
      this.#changing = false;
    }
  }

  /** Each role of the event gets the faults of all events that last. */
  async #messages(event: MessageEvent, instant: 'begin' | 'end', signal: AbortSignal): Promise<void> {
    if (instant === 'begin') this.#lasting.add(event);
    else this.#lasting.delete(event);
    const lasting = [...this.#lasting];
    await Promise.all(
      rolesOfEvent(event).map((role) =>
        this.#deployment.apply({ kind: 'messages', role, faults: faultsOf(role, lasting) }, signal),
      ),
    );
  }

  /** The end waits for the begin, which may take long on a busy machine. */
  #pair(
    { name, atUs }: RoleEvent,
    afterUs: number | undefined,
    { begin, end }: { begin: Change; end: Change },
  ): LoadEvent[] {
    let begun: Promise<void> | undefined;
    const apply: Change = (signal) => {
      begun = begin(signal);
      return begun;
    };
    const first = { name, atUs, apply };
    if (afterUs === undefined) return [first];
    const last: Change = async (signal) => {
      await begun;
      await end(signal);
    };
    return [first, { name: `end of ${name}`, atUs: atUs + afterUs, apply: last }];
  }

  async #all(kind: ProcessChange['kind'], roles: readonly string[], signal: AbortSignal): Promise<void> {
    await Promise.all(
      roles.map(async (role) => {
        if (kind === 'kill') this.#hasEnded = true;
        if (kind === 'freeze') this.#frozen.add(role);
        // The next drawn crash may come while a slow host is still starting the role.
        if (kind === 'kill') await this.#restarts.get(role);
        const applied = this.#deployment.apply({ kind, role }, signal);
        if (kind === 'restart')
          this.#restarts.set(
            role,
            applied.catch(() => undefined),
          );
        await applied;
        if (kind === 'thaw') this.#frozen.delete(role);
      }),
    );
  }
}

/** The events of a repetition, those at stated times first. */
export function eventsOf(cell: ExperimentCell, repetition: number): { events: RoleEvent[]; drawnFrom: number } {
  const { events, drawn } = roleEvents(cell.settings.events, cell);
  const { seed, duration: durationUs } = cell.settings;
  const crashes = drawn.flatMap((one) => drawnCrashes(one, { seed, repetition, durationUs }));
  return { events: [...events, ...crashes], drawnFrom: events.length };
}

/** Crashes of different roles have nothing to do with each other. */
function drawnCrashes(
  { index, name, target, roles, law, meanUs, downUs }: DrawnCrashes,
  load: { seed: number; repetition: number; durationUs: number },
): CrashEvent[] {
  return roles.flatMap((role) =>
    crashTimesUs({ law, meanUs, downUs }, role, load).map((atUs): CrashEvent => {
      return { kind: 'crash', index, atUs, name, target, roles: [role], restartUs: downUs };
    }),
  );
}

function faultsOf(role: string, lasting: readonly MessageEvent[]): MessageFaults {
  const [to, from] = [new Set<string>(), new Set<string>()];
  let delayUs = 0;
  for (const event of lasting) {
    if (event.kind === 'slow') {
      if (event.roles.includes(role)) delayUs = Math.max(delayUs, event.delayUs);
      continue;
    }
    const [first, second] = event.sides;
    // An answer is a message too.
    if (first.includes(role)) add(to, second);
    if (second.includes(role)) add(from, first);
    if (event.oneWay) continue;
    if (second.includes(role)) add(to, first);
    if (first.includes(role)) add(from, second);
  }
  return { delayUs, to: [...to], from: [...from] };
}

function add(names: Set<string>, more: readonly string[]): void {
  for (const name of more) names.add(name);
}

/** @returns in the order of their times, which is that of their versions */
export function changesOfRules(
  events: readonly RoleEvent[],
  { changedRules = [], plan }: ExperimentCell,
): ReadonlyMap<RoleEvent, DeploymentRuleChange> {
  const changes = events.filter(({ kind }) => kind === 'rules').sort((one, other) => one.atUs - other.atUs);
  return new Map(changes.map((event, i) => [event, ruleChange(changedRules[i] as Graph, plan, i + 1)]));
}

function endsInLoad(event: RoleEvent): boolean {
  if (event.kind === 'rules') return false;
  return event.kind !== 'crash' || event.restartUs !== undefined;
}

/** A role that crashed shortly before the end of the load may still be starting then: it was down until the end. */
function outlastsLoad({ outcome }: LoadEventRecord): boolean {
  return outcome === 'unfinished' || outcome === 'skipped';
}

function instantOf(record: LoadEventRecord): EventInstant {
  const { atUs } = record;
  switch (record.outcome) {
    case 'skipped':
      return { atUs };
    case 'unfinished':
      return { atUs, requestedUs: record.requestedUs };
    case 'failed':
      return { atUs, requestedUs: record.requestedUs, error: record.error.message.split('\n')[0] as string };
    case 'effective':
      return { atUs, requestedUs: record.requestedUs, effectiveUs: record.effectiveUs };
  }
}
