/** Stream jobs over a database: which one keeps up with a stream processor. No services are deployed. */
import { formatUs } from '@topo-bench/core';
import type { KindOfStudy } from '@topo-bench/study-kit/kind-of-study';
import { repetitionSize } from './estimate.ts';
import { trackInput } from './input/recorded-tracks.ts';
import { levels } from './levels.ts';
import { streamMetrics } from './metrics.ts';
import { omits } from './not-on-flink.ts';
import type { StreamEntry, StreamExperiment } from './parts.ts';
import { parts } from './parts.ts';
import { check } from './settings.ts';
import { sourceEngine } from './source-of-copy.ts';

export const stream: KindOfStudy = {
  kind: parts.kind,
  parts,
  interval: 'responseTime',
  takesTurns: false,
  input: trackInput,
  appliesTo: ({ stream }: StreamExperiment) => stream !== undefined,
  levels,
  check,
  omits,
  uses: ({ stream }: StreamExperiment) =>
    stream
      ? {
          stores: [stream.database, ...(stream.job === 'copy' ? [sourceEngine] : [])],
          addresses: stream.engine === 'flink' ? ['flinkUrl'] : [],
          containers: stream.image !== undefined,
        }
      : {},
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
function figures({ stream }: StreamEntry): string[] {
  if (!stream) return [];
  const { fullSpeed, paced, checked } = stream;
  return [
    `${Math.round(fullSpeed.pointsPerSecond).toLocaleString('en-US')} points/s`,
    `end-to-end p95 ${formatUs(paced.endToEnd.p95Us)}`,
    `${checked.wrong} wrong`,
  ];
}
