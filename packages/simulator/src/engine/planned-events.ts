/**
 * Events of one replication that happen to the deployment itself: faults of roles, and the messages by which the
 * control side changes rules. Only live machines know what follows. It loads in simulations with events alone.
 */
import { Calendar, ControlSide, type MemoryFault, type TimedRuleChange } from '@topo-bench/flow/memory';
import type { ScriptParts } from '../script/deployment-script.ts';
import type { ConnectionPools } from './connection-pools.ts';
import type { EventCalendar } from './event-calendar.ts';
import type { EventLoops } from './event-loops.ts';
import type { LiveTurns } from './live-turns.ts';
import { type FaultInstant, PlannedFaults } from './planned-faults.ts';
import type { RequestTable } from './request-table.ts';

export interface EventedEngine {
  calendar: EventCalendar;
  loops: EventLoops;
  pools: ConnectionPools;
  requests: RequestTable;
  live: LiveTurns;
  parts: ScriptParts;
  /** Time of a message of the control side. */
  latencyUs: number;
  generatorOf(request: number): number;
}

export interface EventsOfLoad {
  /** On the clock of the load. */
  faults?: readonly MemoryFault[];
  /** `SimulatedDeployment.prepare` has built their rules. */
  changes?: readonly TimedRuleChange[];
}

/** @returns the events of one replication, for each call */
export function plannedEvents({ faults = [], changes = [] }: EventsOfLoad): () => PlannedEvents {
  return () => new PlannedEvents(new PlannedFaults(faults), changes);
}

export class PlannedEvents {
  private readonly planned = new Calendar();
  private engine: EventedEngine | undefined;
  /** Changes that are not confirmed yet. */
  private changing: number;
  private readonly control: ControlSide;

  constructor(
    readonly faults: PlannedFaults,
    changes: readonly TimedRuleChange[],
  ) {
    const { planned } = this;
    const nowUs = (): number => this.nowUs;
    this.control = new ControlSide({
      get nowUs() {
        return nowUs();
      },
      after: (delayUs, happen) => {
        planned.nowUs = this.nowUs;
        planned.after(delayUs, happen);
      },
      isDown: (role) => faults.isDown(role),
      deliver: (role, change, confirmed) => {
        const { live, calendar, latencyUs } = this.engine as EventedEngine;
        const process = this.processNamed(role);
        const turn = live.changeRules(process, change, confirmed);
        calendar.schedule(this.nowUs + latencyUs, calendar.take(process, -1, turn, -1));
      },
    });
    for (const instant of faults.instants) planned.after(instant.atUs, () => this.fault(instant));
    this.changing = changes.length;
    for (const change of changes) {
      const confirmed = (atUs: number): void => {
        this.changing--;
        change.confirmed?.(atUs);
      };
      planned.after(change.atUs, () => this.control.change({ ...change, confirmed }, 0));
    }
  }

  begin(engine: EventedEngine): void {
    this.engine = engine;
  }

  /** Whether a change of rules is still to be confirmed. */
  get isChanging(): boolean {
    return this.changing > 0;
  }

  /** Time of the next event, +∞ without one. */
  get nextUs(): number {
    return this.planned.nextUs;
  }

  /** The next event happens: nothing else does before it. */
  step(): void {
    (this.engine as EventedEngine).calendar.nowUs = this.planned.nextUs;
    this.planned.step();
  }

  /** A turn may begin a little later than what causes it. */
  private get nowUs(): number {
    const { calendar, live } = this.engine as EventedEngine;
    return Math.max(calendar.nowUs, live.nowUs);
  }

  private processNamed(role: string): number {
    return (this.engine as EventedEngine).parts.roles.findIndex(({ name }) => name === role);
  }

  private fault(instant: FaultInstant): void {
    const { loops, live } = this.engine as EventedEngine;
    const { kind, role } = instant;
    if (!this.faults.begin(instant)) return;
    const process = this.processNamed(role);
    if (kind === 'freeze') loops.freeze(process);
    else if (kind === 'thaw') loops.thaw(process);
    else if (kind === 'restart') live.restart(process, this.control.rulesOf(role));
    else this.crash(role, process);
  }

  private crash(role: string, process: number): void {
    const { calendar, loops, pools, parts, live, requests, generatorOf } = this.engine as EventedEngine;
    loops.thaw(process);
    for (const [pool, { process: owner }] of parts.pools.entries()) {
      if (owner !== process) continue;
      pools.reset(pool, (slot) => {
        live.drop(calendar.turn[slot] as number);
        calendar.release(slot);
      });
    }
    for (const { process: caller, request, turn } of live.crash(process, role)) {
      const to = caller < loops.roles ? caller : generatorOf(request);
      // A request that its generator has not sent has no connection.
      if (requests.refused[request] === 1) live.drop(turn);
      else calendar.schedule(calendar.nowUs, calendar.take(to, request, turn, -1));
    }
    this.control.crashed(role);
  }
}
