/** Levels that every table of a transfer study has columns for. */
import type { ExperimentFile } from '@topo-bench/core/schema/experiment';
import type { FactorLevels } from '@topo-bench/core/schema/result';

export function levels({ flight }: ExperimentFile): FactorLevels {
  if (!flight) return {};
  const { protocol, operation, streams, rows, batchRows } = flight;
  return { protocol, operation, streams, rows, batchRows };
}
