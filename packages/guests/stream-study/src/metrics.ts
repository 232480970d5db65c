/** Figures of stream jobs, next to those that every cell has. */
import type { StudyMetrics } from '@topo-bench/comparison';
import { higher, lower } from '@topo-bench/comparison/metric';
import type { StreamEntry } from './parts.ts';

export const streamMetrics: StudyMetrics = {
  hasFewOperations: true,
  has: ({ stream }: StreamEntry) => stream !== undefined,
  defaultMetric: 'stream.pointsPerSecond',
  single: {
    // Back-pressure: the source continues when the database has taken earlier rows.
    'stream.pointsPerSecond': {
      ...higher('rps', ({ stream }: StreamEntry) => stream?.fullSpeed.pointsPerSecond),
      isClosed: () => true,
    },
    'stream.sustainedPerSecond': higher('rps', ({ stream }: StreamEntry) => stream?.sustainedPerSecond),
    'stream.endToEndP95Us': lower('us', ({ stream }: StreamEntry) => stream?.paced.endToEnd.p95Us),
    'stream.storeAccessP95Us': lower('us', ({ stream }: StreamEntry) => stream?.paced.storeAccess.p95Us),
  },
};
