/** Figures of reads and writes of a store, next to those that every cell has. */

import type { StudyMetrics } from '@topo-bench/comparison';
import { higher } from '@topo-bench/comparison/metric';
import { counted } from '@topo-bench/core';
import type { TrendFigure } from '@topo-bench/report/model';
import type { StoreEntry } from './parts.ts';

export const storeMetrics: StudyMetrics = {
  has: ({ persistence }: StoreEntry) => persistence !== undefined,
  defaultMetric: 'responseTime.median',
  single: {
    // Clients of a closed model wait for their answer; requests at a rate do not.
    'persistence.successRps': {
      ...higher('rps', ({ persistence }: StoreEntry) => persistence?.successRps),
      isClosed: ({ rate }) => rate === undefined,
    },
  },
  aliases: { successRps: 'persistence.successRps' },
};

/** The time of a store study over ordered factors: a client waits for it, from its request until the answer. */
export const storeTime: TrendFigure = {
  name: 'response time',
  of: ({ responseTime }) => responseTime,
  loads: { connections: (level) => counted(level, 'client') },
};
