/** Bulk transfers of a table: how fast columns move, by protocol, operation and streams. */
import { formatUs } from '@topo-bench/core';
import type { KindOfStudy } from '@topo-bench/study-kit/kind-of-study';
import { repetitionSize } from './estimate.ts';
import { levels } from './levels.ts';
import { transferMetrics } from './metrics.ts';
import type { TransferEntry, TransferExperiment, TransferTrial } from './parts.ts';
import { parts } from './parts.ts';
import { withTransferTable } from './served-table.ts';
import { check } from './settings.ts';

export const transfer: KindOfStudy = {
  kind: parts.kind,
  parts,
  interval: 'rtt',
  takesTurns: false,
  appliesTo: ({ flight }: TransferExperiment) => flight !== undefined,
  graphOf: (graph, { flight }: TransferExperiment) => (flight ? withTransferTable(graph, flight) : graph),
  levels,
  check,
  async require(cells) {
    const { requireAccess } = await import('./access.ts');
    await requireAccess(cells);
    const ofPyarrow = cells.filter(({ settings }: TransferTrial) => settings.flight?.server === 'pyarrow');
    if (ofPyarrow.length === 0) return;
    const { requirePyarrow, requireRunnerOfPyarrow } = await import('./pyarrow/find-pyarrow.ts');
    requireRunnerOfPyarrow(ofPyarrow);
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

/** A repetition in a line of progress. */
function figures({ outcomes, flight }: TransferEntry): string[] {
  const { megabytesPerSecond = 0, rowsPerSecond = 0, durationUs = Number.NaN } = flight ?? {};
  const speed = `${megabytesPerSecond.toFixed(1)} MB/s, ${(rowsPerSecond / 1e6).toFixed(2)} M rows/s`;
  return [speed, formatUs(durationUs), `${outcomes.error} errors`];
}
