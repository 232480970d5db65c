/** Dependencies shared by the routes of a role. */
import type { Clock } from '@topo-bench/core';
import type { FaultState } from './control/message-faults.ts';
import type { RoleCounters } from './control/role-counters.ts';
import type { SpanRecorder } from './control/span-recorder.ts';
import type { FullConfig } from './full-config.ts';
import type { DeadlineQueue } from './hops/deadline-queue.ts';
import type { HopClient } from './hops/hop-client.ts';
import type { LinkDelays } from './hops/link-delay.ts';

export interface RoleParts {
  config: FullConfig;
  counters: RoleCounters;
  spans: SpanRecorder;
  client: HopClient;
  /** One queue for all waits of the process: link delays and service times. */
  waits: DeadlineQueue;
  links: LinkDelays;
  /** Clock of `Call.parsedAtUs` and of all flow deadlines. */
  clock: Clock;
  /** Faults of messages that an experiment asks for. */
  faults: FaultState;
  /** Writes one line to the role's log. */
  warn: (line: string) => void;
  /** Callbacks that run when the role closes. */
  atEnd: (() => Promise<void>)[];
}
