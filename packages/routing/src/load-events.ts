/**
 * The events of an experiment on a deployment under load: each begins and ends by a change that the runner applies.
 * Their records have the times at which both were asked for and had taken effect.
 */
import type { EventInstant, EventRecord } from '@topo-bench/core/schema/result';
import { affectedRoles, type RoleEvent, roleEvents } from '@topo-bench/deployment';
import type { Deployment, RoleChange } from '@topo-bench/runners';
import type { ExperimentCell, LoadEvent, LoadEventRecord } from '@topo-bench/trial';

type Change = (signal: AbortSignal) => Promise<void>;
type Applies = Pick<Deployment, 'apply'>;

export class DeploymentEvents {
  /** Begin and end of each event, for the load window. */
  readonly forLoad: readonly LoadEvent[];
  readonly #events: readonly RoleEvent[];
  readonly #deployment: Applies;
  readonly #frozen = new Set<string>();
  readonly #down = new Set<string>();

  constructor(cell: ExperimentCell, deployment: Applies) {
    this.#events = roleEvents(cell.settings.events, cell).events;
    this.#deployment = deployment;
    this.forLoad = this.#events.flatMap((event) => this.#instants(event));
  }

  /** Whether a role is down, so that the deployment cannot be measured again. */
  get hasEnded(): boolean {
    return this.#down.size > 0;
  }

  /** Ends what a short load has left: a frozen role answers no questions. */
  async undo(): Promise<void> {
    await this.#all('thaw', [...this.#frozen], new AbortController().signal);
  }

  /** @param records of `forLoad`, in their order */
  recordsOf(records: readonly LoadEventRecord[]): EventRecord[] {
    let next = 0;
    return this.#events.map((event): EventRecord => {
      const { name, kind } = event;
      const begin = instantOf(records[next++] as LoadEventRecord);
      const end = endsInLoad(event) && { end: instantOf(records[next++] as LoadEventRecord) };
      return { name, kind, roles: [...affectedRoles(event)], begin, ...end };
    });
  }

  #instants(event: RoleEvent): LoadEvent[] {
    const { atUs, name } = event;
    switch (event.kind) {
      case 'crash': {
        const { roles, restartUs } = event;
        return this.#pair(
          name,
          atUs,
          restartUs,
          'restart',
          (signal) => this.#all('kill', roles, signal),
          (signal) => this.#all('restart', roles, signal),
        );
      }
      case 'freeze': {
        const { roles, forUs } = event;
        return this.#pair(
          name,
          atUs,
          forUs,
          'end of',
          (signal) => this.#all('freeze', roles, signal),
          (signal) => this.#all('thaw', roles, signal),
        );
      }
      case 'slow':
      case 'partition':
        throw new RangeError(`${name} is not supported`);
    }
  }

  /** The end waits for the begin, which may take long on a busy machine. */
  #pair(
    name: string,
    atUs: number,
    afterUs: number | undefined,
    verb: string,
    begin: Change,
    end: Change,
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
    return [first, { name: `${verb} ${name}`, atUs: atUs + afterUs, apply: last }];
  }

  async #all(kind: RoleChange['kind'], roles: readonly string[], signal: AbortSignal): Promise<void> {
    await Promise.all(
      roles.map(async (role) => {
        if (kind === 'kill') this.#down.add(role);
        if (kind === 'freeze') this.#frozen.add(role);
        await this.#deployment.apply({ kind, role }, signal);
        if (kind === 'restart') this.#down.delete(role);
        if (kind === 'thaw') this.#frozen.delete(role);
      }),
    );
  }
}

function endsInLoad(event: RoleEvent): boolean {
  return event.kind !== 'crash' || event.restartUs !== undefined;
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

/** Sentences on events that did not take effect: the repetition then shows something else than was asked for. */
export function eventFailures(events: readonly EventRecord[]): string[] {
  return events.flatMap(({ name, begin, end }) =>
    [begin, end].flatMap((instant, at) => {
      if (!instant || instant.effectiveUs !== undefined) return [];
      const what = at === 0 ? name : `the end of ${name}`;
      return [`${what} did not take effect during the load${instant.error === undefined ? '' : `: ${instant.error}`}`];
    }),
  );
}
