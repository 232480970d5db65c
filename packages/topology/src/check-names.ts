/** Checks that names are unique: they become host names, file names and process names. */
import type { TopologyFile } from '@topo-bench/core/schema/topology';
import type { Finding } from './finding.ts';
import { gatewaysOf } from './gateways.ts';
import type { ListedService } from './list-services.ts';
import { roleNames } from './role-names.ts';
import type { Path } from './source-document.ts';

/** Finds list entries whose name equals an earlier one, ignoring letter case. */
export function duplicates(what: string, entries: readonly { name: string }[], list: Path): Finding[] {
  const seen = new Map<string, string>();
  return entries.flatMap(({ name }, i) => {
    const first = seen.get(name.toLowerCase());
    seen.set(name.toLowerCase(), first ?? name);
    return first === undefined ? [] : [duplicate(what, name, first, [...list, i, 'name'])];
  });
}

/** Finds duplicates among explicit and generated services, one finding per entry. Also finds names of our own roles. */
export function checkServiceNames(services: readonly ListedService[], topology: TopologyFile): Finding[] {
  const { services: entries } = topology;
  const byName = new Map<string, ListedService>();
  const findings = new Map<number, Finding>();
  const place = (entry: number): Path => ['services', entry, 'name' in entries[entry]! ? 'name' : 'generate'];
  for (const service of services) {
    const key = service.name.toLowerCase();
    const first = byName.get(key);
    if (!first) byName.set(key, service);
    // The finding refers to the later entry, whether explicit or generated.
    else if (!findings.has(service.entry))
      findings.set(service.entry, duplicate('service', service.name, first.name, place(service.entry)));
  }
  const reserved = roleNames(services, gatewaysOf(topology));
  for (const { name, entry } of services) {
    const owner = reserved(name);
    if (owner === undefined || findings.has(entry)) continue;
    findings.set(entry, {
      path: place(entry),
      code: 'TB_TOPOLOGY_RESERVED_NAME',
      message: `"${name}" is the name of ${owner}`,
    });
  }
  return [...findings.values()];
}

function duplicate(what: string, name: string, first: string, path: Path): Finding {
  const difference = name === first ? '' : `: "${first}" differs in letter case only`;
  return { path, code: 'TB_TOPOLOGY_DUPLICATE_NAME', message: `a second ${what} is named "${name}"${difference}` };
}
