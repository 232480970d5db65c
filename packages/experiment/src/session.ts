/**
 * One session of a run on a backend: checks, run folders, the measurements of a plan, and an orderly end. However it
 * ends, everything is torn down and finished repetitions are kept.
 */
import { ExitCode, TopoBenchError } from '@topo-bench/core';
import type { Host, RunRecord } from '@topo-bench/core/schema/result';
import { createRun, makeFolder, privateFolder, type RunWriter, resumeRun } from '@topo-bench/results';
import type { Backend, ExperimentCell, MeasureContext, RunEvent } from '@topo-bench/trial';

/** What a session measures, and in which order. There are three: rounds, pairs until a verdict, and a search. */
export interface Plan {
  /** One run folder, or one for each side. */
  folders: readonly PlannedFolder[];
  /** Called before anything is written or started. */
  prepare?(backend: Backend): Promise<void>;
  /** @param writers of the folders, in their order */
  measure(session: Session, writers: readonly RunWriter[]): Promise<void>;
  /** What an interrupt ended, and what is kept. */
  interrupted(writers: readonly RunWriter[]): { message: string; hint?: string };
  /** How to continue after a failure of the environment; absent if the plan cannot be resumed. */
  wayOn?: string;
}

export interface PlannedFolder {
  folder: string;
  cells: readonly ExperimentCell[];
  record: RunRecord;
  /** Whether the folder has a run to continue. */
  resume: boolean;
  /** Created as a private folder, if it is missing. */
  parent?: string;
}

export interface SessionOptions {
  backend: Backend;
  onEvent?: ((event: RunEvent) => void) | undefined;
  signal: AbortSignal;
}

/** What a plan measures with. */
export class Session {
  readonly backend: Backend;
  readonly signal: AbortSignal;
  readonly #options: SessionOptions;
  readonly #writers: readonly RunWriter[];

  constructor(options: SessionOptions, writers: readonly RunWriter[]) {
    this.backend = options.backend;
    this.signal = options.signal;
    this.#options = options;
    this.#writers = writers;
  }

  /** The same session with another signal, e.g. that of a time limit. */
  within(signal: AbortSignal): Session {
    return new Session({ ...this.#options, signal }, this.#writers);
  }

  emit(event: RunEvent): void {
    this.#options.onEvent?.(event);
  }

  /** @param cells that are measured at the same time */
  contextOf([cell, ...others]: readonly ExperimentCell[], repetition: number): MeasureContext {
    const { levels } = cell as ExperimentCell;
    const more = others.length === 0 ? {} : { others: others.length };
    return {
      signal: this.signal,
      onPhase: (phase, detail) =>
        this.emit({ kind: 'phase', phase, cell: levels, repetition, ...more, ...(detail !== undefined && { detail }) }),
      onWarning: (message) => this.emit({ kind: 'warning', message }),
    };
  }

  /** Adds hosts that the records do not have yet. Runners can use one machine with different versions of Node.js. */
  async recordHosts(hosts: readonly Host[] = []): Promise<void> {
    for (const writer of this.#writers) {
      const { hosts: known = [], status } = writer.record;
      const added = hosts.filter(({ id, node }) => !known.some((host) => host.id === id && host.node === node));
      if (added.length > 0) await writer.mark(status, { hosts: [...known, ...added] });
    }
  }
}

/**
 * @returns the writers of the folders, in their order
 * @throws TopoBenchError `TB_INTERRUPTED` after the signal; what the run folders throw; errors that end the plan
 */
export async function runSession(plan: Plan, options: SessionOptions): Promise<readonly RunWriter[]> {
  const { backend, signal } = options;
  const writers: RunWriter[] = [];
  try {
    await plan.prepare?.(backend);
    const folders = [];
    for (const planned of plan.folders) {
      const notices = await checkBackend(backend, planned.cells, signal);
      folders.push({ ...planned, notices });
    }
    try {
      for (const { folder, parent, resume, notices, ...planned } of folders) {
        const { simulation } = backend;
        const record = {
          ...planned.record,
          ...(simulation && { simulation }),
          ...(notices.length > 0 && { notices }),
        };
        if (parent !== undefined) await makeFolder(parent, privateFolder);
        writers.push(await (resume ? resumeRun(folder, record) : createRun(folder, record)));
      }
      for (const message of new Set(folders.flatMap(({ notices }) => notices))) {
        options.onEvent?.({ kind: 'notice', message });
      }
      await plan.measure(new Session(options, writers), writers);
      for (const writer of writers) await writer.finish('finished');
      return writers;
    } catch (error) {
      throw await ended(error, writers, plan, signal);
    }
  } finally {
    await backend.close?.();
  }
}

/**
 * Checks before anything is written or started.
 * @returns parts of the topology that the backend does not apply, one sentence each
 * @throws TopoBenchError what the backend lacks; after an abort `TB_INTERRUPTED`, whatever the checks rejected with
 */
async function checkBackend(
  backend: Backend,
  cells: readonly ExperimentCell[],
  signal: AbortSignal,
): Promise<string[]> {
  try {
    await backend.check?.(cells, signal);
    const notices = (await backend.notices?.(cells)) ?? [];
    signal.throwIfAborted();
    return notices;
  } catch (error) {
    throw signal.aborted ? new TopoBenchError('TB_INTERRUPTED', 'interrupted: nothing was started') : error;
  }
}

/** Records the final status and returns the error to throw; a failure to do so must not mask the original error. */
async function ended(
  error: unknown,
  writers: readonly RunWriter[],
  plan: Plan,
  { aborted }: AbortSignal,
): Promise<unknown> {
  const message = error instanceof Error ? error.message : String(error);
  for (const writer of writers) {
    await (aborted ? writer.finish('interrupted') : writer.finish('failed', message)).catch(() => undefined);
  }
  if (aborted) return interruption(plan.interrupted(writers));
  return plan.wayOn !== undefined && writers.some(({ cells }) => cells.length > 0)
    ? withWayOn(error, plan.wayOn)
    : error;
}

function interruption({ message, hint }: { message: string; hint?: string }): TopoBenchError {
  return new TopoBenchError('TB_INTERRUPTED', message, hint === undefined ? {} : { hint });
}

/** A missing requirement of the machine ends a session, not the run. */
function withWayOn(failure: unknown, wayOn: string): unknown {
  if (!(failure instanceof TopoBenchError) || failure.exitCode !== ExitCode.environment) return failure;
  const { code, message, hint = '', location, problems } = failure;
  if (hint.includes('--resume')) return failure;
  const both = hint === '' ? wayOn : `${hint}; ${wayOn}`;
  return new TopoBenchError(code, message, { hint: both, problems, cause: failure, ...(location && { location }) });
}
