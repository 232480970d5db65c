/** Stream jobs over a database: which one keeps up with a stream processor. No services are deployed. */
import { formatUs } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import type { KindOfStudy } from '../kind-of-study.ts';
import { repetitionSize } from './estimate.ts';
import { levels } from './levels.ts';
import { streamMetrics } from './metrics.ts';
import { omits } from './omits.ts';
import { check } from './settings.ts';

export const stream: KindOfStudy = {
  kind: 'stream',
  interval: 'responseTime',
  takesTurns: false,
  appliesTo: ({ stream }) => stream !== undefined,
  levels,
  check,
  omits,
  sizeOf: repetitionSize,
  figures,
  metrics: streamMetrics,
  async report() {
    const { report } = await import('./report.ts');
    return report;
  },
  async openRun(environment) {
    const { StreamRun } = await import('./run.ts');
    return new StreamRun(environment);
  },
};

/** A repetition in a line of progress. */
function figures({ stream }: Cell): string[] {
  if (!stream) return [];
  const { fullSpeed, paced, checked } = stream;
  return [
    `${Math.round(fullSpeed.pointsPerSecond).toLocaleString('en-US')} points/s`,
    `end-to-end p95 ${formatUs(paced.endToEnd.p95Us)}`,
    `${checked.wrong} wrong`,
  ];
}
