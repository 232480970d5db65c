/** Figures of reads and writes of a store, next to those that every cell has. */
import { higher, type StudyMetrics } from '@topo-bench/comparison';

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
