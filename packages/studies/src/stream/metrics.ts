/** Figures of stream jobs, next to those that every cell has. */
import type { StudyMetrics } from '@topo-bench/comparison';
import { higher, lower } from '@topo-bench/comparison/metric';

export const streamMetrics: StudyMetrics = {
  has: ({ stream }) => stream !== undefined,
  defaultMetric: 'stream.pointsPerSecond',
  single: {
    // Back-pressure: the source continues when the database has taken earlier rows.
    'stream.pointsPerSecond': {
      ...higher('rps', ({ stream }) => stream?.fullSpeed.pointsPerSecond),
      isClosed: () => true,
    },
    'stream.sustainedPerSecond': higher('rps', ({ stream }) => stream?.sustainedPerSecond),
    'stream.endToEndP95Us': lower('us', ({ stream }) => stream?.paced.endToEnd.p95Us),
    'stream.storeAccessP95Us': lower('us', ({ stream }) => stream?.paced.storeAccess.p95Us),
  },
};
