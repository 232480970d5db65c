/** Figures of bulk transfers, next to those that every cell has. */

import type { StudyMetrics } from '@topo-bench/comparison';
import { higher } from '@topo-bench/comparison/metric';
import { counted } from '@topo-bench/core';
import type { TrendFigure } from '@topo-bench/report/model';
import type { TransferEntry } from './parts.ts';

export const transferMetrics: StudyMetrics = {
  hasFewOperations: true,
  has: ({ flight }: TransferEntry) => flight !== undefined,
  defaultMetric: 'flight.megabytesPerSecond',
  intervals: { 'flight.firstBatch': ({ flight }: TransferEntry) => flight?.firstBatch },
  single: {
    // A stream requests more only after it has read everything received.
    'flight.megabytesPerSecond': {
      ...higher('MBps', ({ flight }: TransferEntry) => flight?.megabytesPerSecond),
      isClosed: () => true,
    },
    'flight.rowsPerSecond': {
      ...higher('rps', ({ flight }: TransferEntry) => flight?.rowsPerSecond),
      isClosed: () => true,
    },
  },
  aliases: {
    megabytesPerSecond: 'flight.megabytesPerSecond',
    'MB/s': 'flight.megabytesPerSecond',
    rowsPerSecond: 'flight.rowsPerSecond',
  },
};

/** The time of a transfer study over ordered factors: a stream that shares the service takes longer than one alone. */
export const transferTime: TrendFigure = {
  name: 'transfer time',
  of: ({ responseTime }) => responseTime,
  note: 'Transfer time: of one stream, from its start until its last row.',
  loads: { streams: (level) => counted(level, 'stream') },
};
