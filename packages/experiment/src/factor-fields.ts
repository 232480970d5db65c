/** What a factor stands for: short names like `architecture` or `rate`, and paths, resolved to fields of the two files. */
import type { FactorLevel } from '@topo-bench/core/schema/experiment';
import type { Architecture } from '@topo-bench/core/schema/topology';

/** Fields to replace, by path, in the topology and in the experiment. */
export interface FieldChanges {
  topology: Record<string, unknown>;
  experiment: Record<string, unknown>;
}

const topologyShortNames: Record<string, string> = {
  services: 'services',
  engine: 'enforcement.engine',
  style: 'enforcement.style',
  framework: 'framework',
  placement: 'placement',
};

/**
 * Fields that one level of one factor sets. `dynamic-router-3` is the architecture `dynamic-router` with three routers.
 * Any other factor is a path: below `topology.` into the topology file, else into the experiment file.
 */
export function fieldsOfLevel(factor: string, level: unknown): FieldChanges {
  if (factor === 'architecture') return { topology: architectureFields(level), experiment: {} };
  if (factor === 'rate') return { topology: {}, experiment: { 'load.rate': level } };
  const topologyPath =
    topologyShortNames[factor] ?? (factor.startsWith('topology.') ? factor.slice('topology.'.length) : undefined);
  return topologyPath === undefined
    ? { topology: {}, experiment: { [factor]: level } }
    : { topology: { [topologyPath]: level }, experiment: {} };
}

/** Fields that a whole cell sets; later factors win where two name the same field. */
export function fieldsOfLevels(levels: Readonly<Record<string, FactorLevel>>): FieldChanges {
  const changes: FieldChanges = { topology: {}, experiment: {} };
  for (const [factor, level] of Object.entries(levels)) {
    const fields = fieldsOfLevel(factor, level);
    Object.assign(changes.topology, fields.topology);
    Object.assign(changes.experiment, fields.experiment);
  }
  return changes;
}

/** How an architecture is written as a level; the inverse of what `architecture: dynamic-router-3` means. */
export function architectureLevel(architecture: Architecture, routers: number): string {
  return architecture === 'dynamic-router' ? `dynamic-router-${routers}` : architecture;
}

function architectureFields(level: unknown): Record<string, unknown> {
  const routers = /^dynamic-router-(\d+)$/.exec(String(level))?.[1];
  return routers === undefined
    ? { 'enforcement.architecture': level }
    : { 'enforcement.architecture': 'dynamic-router', 'enforcement.routers': Number(routers) };
}
