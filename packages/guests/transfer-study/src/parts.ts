/** What a transfer study adds to experiment files, factors and cells. */

import type { SettingsWith } from '@topo-bench/core/schema/experiment';
import type { CellWith } from '@topo-bench/core/schema/result';
import { joinStudy } from '@topo-bench/core/schema/study-parts';
import type { ExperimentCell } from '@topo-bench/trial';
import { transferResult } from './payload-schema.ts';
import { flight } from './settings-schema.ts';

export const parts = joinStudy({
  kind: 'transfer',
  factors: {
    protocol: { scope: 'experiment', path: 'flight.protocol' },
    operation: { scope: 'experiment', path: 'flight.operation' },
    server: { scope: 'experiment', path: 'flight.server' },
    streams: { scope: 'experiment', path: 'flight.streams' },
    rows: { scope: 'experiment', path: 'flight.rows' },
    batchRows: { scope: 'experiment', path: 'flight.batchRows' },
  },
  own: {
    name: 'flight',
    settings: flight,
    payload: transferResult,
    threshold: 'of bulk transfers, `flight.megabytesPerSecond > -5%`',
  },
});

export type TransferExperiment = SettingsWith<typeof parts.own>;
export type TransferEntry = CellWith<typeof parts.own>;
export type TransferTrial = ExperimentCell & { settings: TransferExperiment };
