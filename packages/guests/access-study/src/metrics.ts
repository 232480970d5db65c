/** Figures of reads of a table, next to those that every cell has. */
import type { StudyMetrics } from '@topo-bench/comparison';
import { higher, lower } from '@topo-bench/comparison/metric';
import type { AccessEntry } from './parts.ts';

export const accessMetrics: StudyMetrics = {
  hasFewOperations: true,
  has: ({ access }: AccessEntry) => access !== undefined,
  defaultMetric: 'access.rowsPerSecond',
  single: {
    // The client requests more only after it has read everything received.
    'access.rowsPerSecond': {
      ...higher('rps', ({ access }: AccessEntry) => access?.rowsPerSecond),
      isClosed: () => true,
    },
    'access.megabytesPerSecond': {
      ...higher('MBps', ({ access }: AccessEntry) => access?.megabytesPerSecond),
      isClosed: () => true,
    },
    'access.durationUs': { ...lower('us', ({ access }: AccessEntry) => access?.durationUs), isClosed: () => true },
  },
};
