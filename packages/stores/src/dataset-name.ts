/** Names of what topo-bench makes on a server: all begin with `topo_bench_`, and nothing else there is ever touched. */
import type { StoreConfiguration } from '@topo-bench/core';
import type { Dataset } from './store.ts';

// To be raised with any change to tables, indexes or seeded rows: templates of before must not be taken for today's.
const layoutVersion = 1;

/** Of the template with these rows; one for each layout. */
export function datasetName(configuration: StoreConfiguration, { rows, seed }: Dataset): string {
  return `topo_bench_t${layoutVersion}_${configuration.replaceAll('-', '_')}_${rows}_${seed}`;
}

/** Of the database that a service works on. @param service its name; letters, digits and `-` @returns at most 60 characters */
export function liveName(service: string): string {
  return `topo_bench_${service.toLowerCase().replaceAll(/[^a-z0-9]/g, '_')}`.slice(0, 60);
}
