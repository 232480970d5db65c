/** Reads of a whole table by a client: what each layer between store and client costs. No services are deployed. */
import { formatUs } from '@topo-bench/core';
import type { KindOfStudy } from '@topo-bench/study-kit/kind-of-study';
import { loadSeconds, repetitionSize } from './estimate.ts';
import { levels, serverOf } from './levels.ts';
import { accessMetrics } from './metrics.ts';
import type { AccessEntry, AccessExperiment } from './parts.ts';
import { parts } from './parts.ts';
import { check, omits } from './settings.ts';
import { variantParts } from './variants.ts';

export const access: KindOfStudy = {
  kind: parts.kind,
  parts,
  interval: 'responseTime',
  takesTurns: false,
  appliesTo: ({ access }: AccessExperiment) => access !== undefined,
  levels,
  check,
  omits,
  serverOf,
  uses: ({ access }: AccessExperiment) => ({
    containers: access !== undefined && ['container', 'pod'].includes(variantParts[access.variant].place ?? ''),
  }),
  sizeOf: repetitionSize,
  onceSeconds: loadSeconds,
  userData({ access }: AccessExperiment) {
    const { own, rows: assumedRows } = access ?? {};
    if (!own || assumedRows === undefined) return undefined;
    return {
      key: JSON.stringify(own),
      assumedRows,
      async rows() {
        const { ownRows } = await import('./own-rows.ts');
        return ownRows(own);
      },
    };
  },
  figures,
  metrics: accessMetrics,
  async report() {
    const { report } = await import('./report.ts');
    return report;
  },
  async openRun(environment) {
    const { AccessRun } = await import('./run.ts');
    return new AccessRun(environment);
  },
};

/** A repetition in a line of progress. */
function figures({ access }: AccessEntry): string[] {
  if (!access) return [];
  const { rowsPerSecond, megabytesPerSecond, durationUs, rows, wrong } = access;
  const speed = `${Math.round(rowsPerSecond).toLocaleString('en-US')} rows/s, ${megabytesPerSecond.toFixed(1)} MB/s`;
  return [rows > 1 ? speed : formatUs(durationUs), ...(rows > 1 ? [formatUs(durationUs)] : []), `${wrong} wrong`];
}
