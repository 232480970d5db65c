/** The environment of a run: this version of topo-bench, on the machine that runs it. */
import type { Environment } from '@topo-bench/core/schema/result';
import { readHostEnvironment } from '@topo-bench/host';

/** @param topoBench version of topo-bench */
export function readEnvironment(topoBench: string): Environment {
  return { topoBench, ...readHostEnvironment() };
}
