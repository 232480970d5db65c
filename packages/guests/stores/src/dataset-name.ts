/**
 * Names of databases and prefixes that topo-bench creates on a server. All begin with `topo_bench_`; nothing else is
 * ever changed.
 */
import type { StoreConfiguration } from '@topo-bench/core';
import type { Dataset } from './store.ts';

// Increase with any change to tables, indexes or seeded rows: older templates must not be reused.
const layoutVersion = 1;

/** Name of the template with these rows; one for each layout. */
export function datasetName(configuration: StoreConfiguration, { rows, seed }: Dataset): string {
  return `topo_bench_t${layoutVersion}_${configuration.replaceAll('-', '_')}_${rows}_${seed}`;
}

/**
 * Name of the database of a service. @param service its name; letters, digits and `-` @returns at most 60 characters
 */
export function liveName(service: string): string {
  return `topo_bench_${service.toLowerCase().replaceAll(/[^a-z0-9]/g, '_')}`.slice(0, 60);
}
