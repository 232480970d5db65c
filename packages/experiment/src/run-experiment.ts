/**
 * Runs an experiment from its record to its end. However it ends, everything is torn down and finished repetitions are
 * kept; the same call continues the run.
 */
import { ExitCode, TopoBenchError } from '@topo-bench/core';
import type { Cell, RunRecord } from '@topo-bench/core/schema/result';
import { createRun, openRun, type RunWriter, resumeRun } from '@topo-bench/results';
import type { Backend } from './backend.ts';
import { checkBackend } from './check-backend.ts';
import type { ResolvedExperiment } from './resolve-experiment.ts';
import type { RunEvent } from './run-event.ts';
import { newRunRecord, type RunIdentity } from './run-record.ts';
import { RunSession } from './run-session.ts';
import { requireSameServers } from './stores/run-servers.ts';

export interface RunOptions extends Omit<RunIdentity, 'startedAt'> {
  folder: string;
  /** Whether the folder has a run to continue. */
  resume: boolean;
  /** Whether the run may continue on database servers other than before. */
  allowOtherServers?: boolean | undefined;
  backend: Backend;
  onEvent?: (event: RunEvent) => void;
  signal: AbortSignal;
}

export interface RunResult {
  folder: string;
  record: RunRecord;
  /** Every finished repetition, including those of earlier sessions of the run. */
  cells: readonly Cell[];
}

/**
 * @throws TopoBenchError `TB_INTERRUPTED` after the signal; what the run folder throws; the error of the first
 *   deployment if that fails
 */
export async function runExperiment(resolved: ResolvedExperiment, options: RunOptions): Promise<RunResult> {
  const record: RunRecord = newRunRecord(resolved, { ...options, startedAt: new Date() });
  const { folder, resume, backend, allowOtherServers, onEvent } = options;
  if (resume && !allowOtherServers) {
    requireSameServers(folder, (await openRun(folder)).record.storeServers, record.storeServers ?? []);
  }
  // Before anything is written.
  const notices = await checkBackend(backend, resolved.cells, options.signal);
  if (notices.length > 0) record.notices = notices;
  const writer = resume ? await resumeRun(folder, record) : await createRun(folder, record);
  for (const message of notices) onEvent?.({ kind: 'notice', message });
  const session = new RunSession(resolved, writer, options);
  try {
    await session.measureAll();
    await writer.finish('finished');
  } catch (error) {
    throw await ended(error, writer, options.signal);
  } finally {
    await backend.close?.();
  }
  return { folder, record: writer.record, cells: writer.cells };
}

/** Records the final status and returns the error to throw; a failure to do so must not mask the original error. */
export async function ended(error: unknown, writer: RunWriter, signal: AbortSignal): Promise<unknown> {
  const hint = `finished repetitions are kept; continue with: topo-bench run --resume ${writer.folder}`;
  const failure = signal.aborted ? new TopoBenchError('TB_INTERRUPTED', 'the run was interrupted', { hint }) : error;
  const message = failure instanceof Error ? failure.message : String(failure);
  await (signal.aborted ? writer.finish('interrupted') : writer.finish('failed', message)).catch(() => undefined);
  return writer.cells.length > 0 ? withWayOn(failure, hint) : failure;
}

/** A missing requirement of the machine ends a session, not the run. */
function withWayOn(failure: unknown, wayOn: string): unknown {
  if (!(failure instanceof TopoBenchError) || failure.exitCode !== ExitCode.environment) return failure;
  const { code, message, hint = '', location, problems } = failure;
  if (hint.includes('--resume')) return failure;
  const both = hint === '' ? wayOn : `${hint}; ${wayOn}`;
  return new TopoBenchError(code, message, { hint: both, problems, cause: failure, ...(location && { location }) });
}
