/** Reads and writes of the one service with items: the cost of a store, by engine and workload. */
import { formatUs } from '@topo-bench/core';
import type { KindOfStudy } from '@topo-bench/study-kit/kind-of-study';
import { levels } from './levels.ts';
import { storeMetrics } from './metrics.ts';
import { mixedServers } from './mixed-servers.ts';
import type { StoreEntry, StoreExperiment } from './parts.ts';
import { parts } from './parts.ts';
import { check } from './settings.ts';

export const store: KindOfStudy = {
  kind: parts.kind,
  parts,
  interval: 'responseTime',
  takesTurns: false,
  appliesTo: ({ persistence }: StoreExperiment) => persistence !== undefined,
  levels,
  check,
  async require(cells) {
    const { requireQueryLogin } = await import('./query-login.ts');
    await requireQueryLogin(cells);
  },
  figures,
  mixed: mixedServers,
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

/** A repetition in a line of progress. */
function figures({ responseTime: { medianUs, p95Us }, outcomes, persistence }: StoreEntry): string[] {
  const times = `response time median ${formatUs(medianUs)}, p95 ${formatUs(p95Us)}`;
  return [times, `${(persistence?.successRps ?? 0).toFixed(1)} successes/s`, `${outcomes.error} errors`];
}
