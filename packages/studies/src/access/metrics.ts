/** Figures of reads of a table, next to those that every cell has. */
import type { StudyMetrics } from '@topo-bench/comparison';
import { higher, lower } from '@topo-bench/comparison/metric';

export const accessMetrics: StudyMetrics = {
  has: ({ access }) => access !== undefined,
  defaultMetric: 'access.rowsPerSecond',
  single: {
    // The client requests more only after it has read everything received.
    'access.rowsPerSecond': { ...higher('rps', ({ access }) => access?.rowsPerSecond), isClosed: () => true },
    'access.megabytesPerSecond': {
      ...higher('MBps', ({ access }) => access?.megabytesPerSecond),
      isClosed: () => true,
    },
    'access.durationUs': { ...lower('us', ({ access }) => access?.durationUs), isClosed: () => true },
  },
};
