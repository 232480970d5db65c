/** Levels that every table of a transfer study has columns for. */
import type { FactorLevels } from '@topo-bench/core/schema/result';
import type { TransferExperiment } from './parts.ts';

export function levels({ flight }: TransferExperiment): FactorLevels {
  if (!flight) return {};
  const { protocol, operation, streams, rows, batchRows } = flight;
  return { protocol, operation, streams, rows, batchRows };
}
