/** What the routes of a role share. */
import type { Clock } from '@topo-bench/core/clock';
import type { LastSeenRing } from './control/last-seen.ts';
import type { RoleCounters } from './control/role-counters.ts';
import type { SpanRecorder } from './control/span-recorder.ts';
import type { FullConfig } from './full-config.ts';
import type { DeadlineQueue } from './hops/deadline-queue.ts';
import type { HopClient } from './hops/hop-client.ts';
import type { LinkDelays } from './hops/link-delay.ts';

export interface RoleParts {
  config: FullConfig;
  counters: RoleCounters;
  seen: LastSeenRing;
  spans: SpanRecorder;
  client: HopClient;
  /** All waits of the process, of links and of work. */
  waits: DeadlineQueue;
  links: LinkDelays;
  /** Of `Call.parsedAtUs` and of all deadlines of flows. */
  clock: Clock;
  /** Takes one line for the role's log. */
  complain: (line: string) => void;
  /** Closed with the role. */
  atEnd: (() => Promise<void>)[];
}
