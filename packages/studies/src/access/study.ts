/** Reads of a whole table by a client: what each layer between store and client costs. No services are deployed. */
import { formatUs } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import type { KindOfStudy } from '../kind-of-study.ts';
import { loadSeconds, repetitionSize } from './estimate.ts';
import { levels, serverOf } from './levels.ts';
import { accessMetrics } from './metrics.ts';
import { check, omits } from './settings.ts';

export const access: KindOfStudy = {
  kind: 'access',
  interval: 'responseTime',
  takesTurns: false,
  appliesTo: ({ access }) => access !== undefined,
  levels,
  check,
  omits,
  serverOf,
  sizeOf: repetitionSize,
  onceSeconds: loadSeconds,
  async dataRows({ access }) {
    if (!access?.own) return undefined;
    const { ownRows } = await import('./own-rows.ts');
    return ownRows(access.own);
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
function figures({ access }: Cell): string[] {
  if (!access) return [];
  const { rowsPerSecond, megabytesPerSecond, durationUs, rows, wrong } = access;
  const speed = `${Math.round(rowsPerSecond).toLocaleString('en-US')} rows/s, ${megabytesPerSecond.toFixed(1)} MB/s`;
  return [rows > 1 ? speed : formatUs(durationUs), ...(rows > 1 ? [formatUs(durationUs)] : []), `${wrong} wrong`];
}
