/** The record of the load generators, as a field of the result. */
import type { GeneratorRecord, LoadFacts } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { hostResources } from '@topo-bench/host';

/** Empty where no process generated the load. */
export function generatorFigures({
  granted,
  startErrorUs,
  connections,
  generatorRecords = [],
  generatorHosts = [],
}: LoadFacts): Pick<Cell, 'generator'> {
  if (!granted) return {};
  const areSplit = generatorRecords.length > 1 || generatorRecords.some(({ host }) => host !== undefined);
  return {
    generator: {
      ...granted,
      ...(connections && { connections }),
      ...(startErrorUs !== undefined && { startErrorUs }),
      ...(areSplit && { each: generatorRecords.map(figuresOf) }),
      ...(generatorHosts.length > 0 && {
        hosts: Object.fromEntries(generatorHosts.map(({ id, use }) => [id, hostResources(use).host ?? {}])),
      }),
    },
  };
}

function figuresOf({ windowUs, cpuUs, eventLoopUtilization, intervals: _, ...record }: GeneratorRecord) {
  return {
    ...record,
    cpuPercent: (100 * cpuUs) / windowUs,
    eventLoopUtilization: Math.min(1, eventLoopUtilization),
  };
}
