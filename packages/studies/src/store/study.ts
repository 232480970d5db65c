/** Reads and writes of the one service with items: the cost of a store, by engine and workload. */
import type { KindOfStudy } from '../kind-of-study.ts';
import { figures } from './figures.ts';
import { levels } from './levels.ts';
import { storeMetrics } from './metrics.ts';
import { check } from './settings.ts';

export const store: KindOfStudy = {
  kind: 'store',
  interval: 'responseTime',
  appliesTo: ({ persistence }) => persistence !== undefined,
  levels,
  check,
  figures,
  metrics: storeMetrics,
  async report() {
    const { report } = await import('./report.ts');
    return report;
  },
  async open(deployed) {
    const { openStoreTestBed } = await import('./open.ts');
    return openStoreTestBed(deployed);
  },
};
