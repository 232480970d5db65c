/** What a workbench needs of its surroundings to measure: who calls, and what measures. */
import type { ServerUrls } from '@topo-bench/stores/servers/connection-strings';
import type { Backend, RunEvent } from '@topo-bench/trial';

/** Makes the backend of one run, which closes it. `measuredBackends` makes those of real processes. */
export type Backends = (logsDir: string) => Backend | Promise<Backend>;

export interface Setting {
  backends: Backends;
  /** Version of topo-bench, recorded with a run. */
  version: string;
  /** Words of the call, recorded with a run. */
  command: readonly string[];
  /** Connection strings of user-supplied database servers; those in the environment apply as well. */
  serverUrls?: ServerUrls | undefined;
}

/** How the caller follows and ends a measurement. */
export interface Following<Event = RunEvent> {
  onEvent?: ((event: Event) => void) | undefined;
  /** Tears everything down and keeps finished repetitions; the measurement then rejects with `TB_INTERRUPTED`. */
  signal?: AbortSignal | undefined;
}
