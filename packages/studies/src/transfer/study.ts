/** Bulk transfers of a table: how fast columns move, by protocol, operation and streams. */
import type { KindOfStudy } from '../kind-of-study.ts';
import { repetitionSize } from './estimate.ts';
import { figures } from './figures.ts';
import { levels } from './levels.ts';
import { transferMetrics } from './metrics.ts';
import { withTransferTable } from './served-table.ts';
import { check } from './settings.ts';

export const transfer: KindOfStudy = {
  kind: 'transfer',
  interval: 'rtt',
  appliesTo: ({ flight }) => flight !== undefined,
  graphOf: (graph, { flight }) => (flight ? withTransferTable(graph, flight) : graph),
  levels,
  check,
  async require(cells) {
    const { requireAccess } = await import('./access.ts');
    await requireAccess(cells);
    if (!cells.some(({ settings }) => settings.flight?.server === 'pyarrow')) return;
    const { requirePyarrow } = await import('./pyarrow/find-pyarrow.ts');
    await requirePyarrow();
  },
  sizeOf: repetitionSize,
  figures,
  metrics: transferMetrics,
  async report() {
    const { report } = await import('./report.ts');
    return report;
  },
  async open(deployed, signal) {
    const { TransferTestBed } = await import('./test-bed.ts');
    return TransferTestBed.open(deployed, signal);
  },
};
