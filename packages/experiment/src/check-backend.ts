/** The checks of a run before anything is written or started. */
import { TopoBenchError } from '@topo-bench/core';
import type { Backend, ExperimentCell } from '@topo-bench/trial';

/**
 * What the backend lacks, and what it does not apply.
 * @returns parts of the topology that the backend does not apply, one sentence each
 * @throws TopoBenchError what the backend lacks; after an abort `TB_INTERRUPTED`, whatever the checks rejected with
 */
export async function checkBackend(
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
