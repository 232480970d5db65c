/** Figures of reads and writes of a store, next to those that every cell has. */
import type { StudyMetrics } from '@topo-bench/comparison';
import { higher } from '@topo-bench/comparison/metric';

export const storeMetrics: StudyMetrics = {
  has: ({ persistence }) => persistence !== undefined,
  defaultMetric: 'responseTime.median',
  single: {
    // Clients of a closed model wait for their answer; requests at a rate do not.
    'persistence.successRps': {
      ...higher('rps', ({ persistence }) => persistence?.successRps),
      isClosed: ({ rate }) => rate === undefined,
    },
  },
  aliases: { successRps: 'persistence.successRps' },
};
