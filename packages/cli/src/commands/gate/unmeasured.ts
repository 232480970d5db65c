/** The outputs of a gate that ended without a verdict: a CI server shows a missing file as a missing step. */
import type { GateResult, Threshold } from '@topo-bench/comparison';
import { note } from '../../output.ts';
import type { GateFlags } from './options.ts';
import { publish } from './publish.ts';

/**
 * Runs the work of a gate. When it throws, every output names the error as the reason of every threshold.
 * @param work receives a list for sentences on what was measured: the outputs have them also when it throws later
 * @throws the error of the work
 */
export async function withOutputs<T>(
  thresholds: readonly Threshold[],
  flags: GateFlags,
  work: (measured: string[]) => Promise<T>,
): Promise<T> {
  const notes: string[] = [];
  try {
    return await work(notes);
  } catch (error) {
    for (const text of notes) note(`note: ${text}`);
    // The first error is the cause: one of an output, such as a full disk, must not replace it.
    await publish(unmeasured(thresholds, error, notes), { ...flags, allowUndecided: false }).catch(() => undefined);
    throw error;
  }
}

function unmeasured(thresholds: readonly Threshold[], error: unknown, notes: readonly string[]): GateResult {
  const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return {
    verdict: 'cannot tell',
    thresholds: thresholds.map(({ text, metric, kind, limit }) => ({
      ...{ threshold: text, metric: metric.name, kind, limit },
      ...{ verdict: 'cannot tell', reason, cells: [] },
    })),
    notes: [...notes],
  };
}
