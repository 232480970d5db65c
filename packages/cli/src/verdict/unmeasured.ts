/** The outputs of a gate that ended without a verdict: a CI server shows a missing file as a missing step. */
import type { GateResult, Threshold } from '@topo-bench/comparison';
import { TopoBenchError } from '@topo-bench/core';
import { note } from '../output.ts';
import { type PublishFlags, publish } from './publish.ts';

/** What the outputs show when the work of a gate throws; the work adds what it learns. */
interface Known {
  /** Empty while they are unknown: those of an experiment that cannot be read. */
  thresholds: readonly Threshold[];
  /** Sentences on what was measured. */
  notes: string[];
}

/**
 * Runs the work of a gate. When it throws, every output names the error as the reason of every threshold.
 * @param thresholds those known before
 * @throws the error of the work
 */
export async function withOutputs<T>(
  thresholds: readonly Threshold[],
  flags: PublishFlags,
  work: (known: Known) => Promise<T>,
): Promise<T> {
  const known: Known = { thresholds, notes: [] };
  try {
    return await work(known);
  } catch (error) {
    for (const text of known.notes) note(`note: ${text}`);
    // The first error is the cause: one of an output, such as a full disk, must not replace it.
    await publish(unmeasured(known, error), { ...flags, allowUndecided: false }).catch(() => undefined);
    throw error;
  }
}

/** An entry in place of thresholds that are unknown: a file without any entry would look like success. */
const unknown = {
  threshold: 'thresholds of the experiment',
  metric: 'unknown',
  kind: 'absolute',
  limit: Number.NaN,
} as const;

function unmeasured({ thresholds, notes }: Known, error: unknown): GateResult {
  const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const verdict = error instanceof TopoBenchError && error.code === 'TB_GATE_CANDIDATE' ? 'failed' : 'cannot tell';
  const rows = thresholds.map(({ text, metric, kind, limit }) => ({
    threshold: text,
    metric: metric.name,
    kind,
    limit,
  }));
  return {
    verdict,
    thresholds: (rows.length > 0 ? rows : [unknown]).map((row) => ({
      ...row,
      verdict,
      reason,
      cells: [],
    })),
    notes: [...notes],
  };
}
