/** The cells of an experiment: the levels that every table has columns for, and the server that is read. */
import type { FactorLevels } from '@topo-bench/core/schema/result';
import type { ServerField } from '@topo-bench/trial';
import type { AccessExperiment } from './parts.ts';

export function levels({ access }: AccessExperiment): FactorLevels {
  if (!access) return {};
  const { source, own, rows, query, variant } = access;
  return { source, ...(!own && { volume: rows }), query, variant };
}

/** Undefined for a file. */
export function serverOf({ access }: AccessExperiment): ServerField | undefined {
  if (!access || access.source === 'parquet') return undefined;
  return { engine: access.source, url: access.url, image: access.image };
}
