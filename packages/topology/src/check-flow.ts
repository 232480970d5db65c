/** Whether the flow visits every service of it exactly once, and nothing else. */
import { suggestName } from '@topo-bench/core';
import type { FlowItem, TopologyFile } from '@topo-bench/core/schema/topology';
import type { Finding } from './finding.ts';
import type { ListedService } from './list-services.ts';
import type { Path } from './source-document.ts';

export function checkFlow(
  topology: Pick<TopologyFile, 'flow' | 'services'>,
  services: readonly ListedService[],
): Finding[] {
  if (services.every(({ alternative }) => alternative)) {
    return [
      {
        path: ['services'],
        code: 'TB_TOPOLOGY_EMPTY_FLOW',
        message: 'every service is an alternative: none is left for the flow',
      },
    ];
  }
  if (topology.flow === 'chain') return [];
  const byName = new Map(services.map((service) => [service.name, service]));
  const known = services.filter(({ alternative }) => !alternative).map(({ name }) => name);
  const visited = new Set<string>();
  const findings: Finding[] = [];
  for (const { name, path } of visits(topology.flow, ['flow'])) {
    const service = byName.get(name);
    if (!service) {
      const hint = suggestName(name, known, 'services');
      findings.push({ path, code: 'TB_TOPOLOGY_UNKNOWN_SERVICE', message: `no service is named "${name}"`, hint });
    } else if (service.alternative) {
      findings.push({
        path,
        code: 'TB_TOPOLOGY_ALTERNATIVE_IN_FLOW',
        message: `the alternative "${name}" stands in the flow`,
      });
    } else if (visited.has(name)) {
      findings.push({
        path,
        code: 'TB_TOPOLOGY_DUPLICATE_STEP',
        message: `"${name}" stands in the flow twice`,
        hint: `a flow visits a service once: for a call back or a second caller, add a service such as "${name}-2"`,
      });
    }
    visited.add(name);
  }
  return [...findings, ...unreachable(services, visited, topology.services)];
}

function* visits(items: readonly FlowItem[], path: Path): Generator<{ name: string; path: Path }> {
  for (const [i, item] of items.entries()) {
    if (typeof item === 'string') yield { name: item, path: [...path, i] };
    else yield* visits(item, [...path, i]);
  }
}

/** One finding per entry of the file, so that a list of generated services does not flood the report. */
function unreachable(
  services: readonly ListedService[],
  visited: ReadonlySet<string>,
  entries: TopologyFile['services'],
): Finding[] {
  return entries.flatMap((entry, index) => {
    const missed = services.filter(
      (service) => service.entry === index && !service.alternative && !visited.has(service.name),
    );
    if (missed.length === 0) return [];
    const others = missed.length > 1 ? ` (and ${missed.length - 1} more of this entry)` : '';
    return [
      {
        path: ['services', index, 'name' in entry ? 'name' : 'generate'],
        code: 'TB_TOPOLOGY_UNREACHABLE_SERVICE' as const,
        message: `"${missed[0]!.name}"${others} is neither in the flow nor an alternative`,
      },
    ];
  });
}
