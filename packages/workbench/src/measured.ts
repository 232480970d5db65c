/** The backends of real processes, containers and pods. Their code loads with the first of them. */
import type { MeasuredBackendOptions } from '@topo-bench/measured';
import type { RunnerOptions } from '@topo-bench/runners';
import { studies } from '@topo-bench/studies';
import type { Backends } from './setting.ts';

type OfCaller = Omit<MeasuredBackendOptions, 'logsDir' | 'runnerNamed' | 'runnerOptions' | 'studies'>;

export interface MeasuredOptions extends OfCaller {
  runnerOptions: RunnerOptions;
}

export function measuredBackends({ runnerOptions, ...options }: MeasuredOptions): Backends {
  return async (logsDir) => {
    const [{ measuredBackend }, { runnersWith }] = await Promise.all([
      import('@topo-bench/measured/backend'),
      import('@topo-bench/runners'),
    ]);
    const runnerNamed = runnersWith(runnerOptions);
    return measuredBackend({ studies, ...options, runnerNamed, runnerOptions, logsDir });
  };
}
