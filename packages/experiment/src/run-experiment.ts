/** Runs an experiment round by round, from its record to its end; the same call continues the run. */
import type { Cell, RunRecord } from '@topo-bench/core/schema/result';
import { openRun, type RunWriter } from '@topo-bench/results';
import type { Backend, Effort } from '@topo-bench/trial';
import type { ResolvedExperiment } from './resolve-experiment.ts';
import { groupNames } from './round-plan.ts';
import { Rounds } from './rounds.ts';
import { newRunRecord, type RunIdentity } from './run-record.ts';
import { runSession, type SessionOptions } from './session.ts';
import { requireSameServers } from './stores/run-servers.ts';

export interface RunOptions extends Omit<RunIdentity, 'startedAt'>, SessionOptions {
  folder: string;
  /** Whether the folder has a run to continue. */
  resume: boolean;
  /** Whether the run may continue on database servers other than before. */
  allowOtherServers?: boolean | undefined;
}

export interface RunResult {
  folder: string;
  record: RunRecord;
  /** Every finished repetition, including those of earlier sessions of the run. */
  cells: readonly Cell[];
}

/**
 * @throws TopoBenchError as `runSession`; the error of the first deployment if that fails;
 *   `TB_EXPERIMENT_TOO_MANY_PROCESSES`
 */
export async function runExperiment(resolved: ResolvedExperiment, options: RunOptions): Promise<RunResult> {
  const record = newRunRecord(resolved, { ...options, startedAt: new Date() });
  const { folder, resume, allowOtherServers } = options;
  if (resume && !allowOtherServers) {
    requireSameServers(folder, (await openRun(folder)).record.storeServers, record.storeServers ?? []);
  }
  let effort: Effort | undefined;
  const [writer] = await runSession(
    {
      folders: [{ folder, resume, record, cells: resolved.cells }],
      async prepare(backend) {
        effort = await backend.effortOf(resolved.cells);
        // Rejects deployments that are too large for their hosts.
        groupNames(resolved.cells, effort);
      },
      async measure(session, [own]) {
        await new Rounds(resolved, own as RunWriter, session, effort as Effort).measureAll();
      },
      ...endOfRun(folder, options.backend),
    },
    options,
  );
  return resultOf(writer as RunWriter);
}

/** How a run ends that can be resumed: a simulated one is repeated instead. */
export function endOfRun(
  folder: string,
  { source }: Pick<Backend, 'source'>,
): { interrupted(): { message: string; hint?: string }; wayOn?: string } {
  if (source === 'simulated') return { interrupted: () => ({ message: 'the simulation was interrupted' }) };
  const wayOn = `finished repetitions are kept; continue with: topo-bench run --resume ${folder}`;
  return { wayOn, interrupted: () => ({ message: 'the run was interrupted', hint: wayOn }) };
}

export function resultOf({ folder, record, cells }: RunWriter): RunResult {
  return { folder, record, cells };
}
