/** What the schema of a topology cannot say: that names lead somewhere and stand for one thing each. */
import { type Architecture, architectureTable, isEnforced, isReplicated, suggestName } from '@topo-bench/core';
import type { TopologyFile } from '@topo-bench/core/schema/topology';
import { checkFlow } from './check-flow.ts';
import { checkServiceNames, duplicates } from './check-names.ts';
import type { Finding } from './finding.ts';
import { gatewayShares, gatewaysOf } from './gateways.ts';
import { listServices } from './list-services.ts';
import { checkUserServices } from './user-service.ts';

const maxServices = 1000;

/** All findings, warnings included, in no particular order. Without errors among them `buildGraph` succeeds. */
export function checkTopology(topology: TopologyFile): Finding[] {
  return [...checkFields(topology), ...checkTakeover(topology)];
}

/** Without findings on fields that only fit together. Factors that are applied one by one have not set all of them. */
export function checkFields(topology: TopologyFile): Finding[] {
  const count = countServices(topology);
  if (count > maxServices) {
    // Everything below works on the single services; with too many of them it would only add noise.
    return [
      {
        path: ['services'],
        code: 'TB_TOPOLOGY_TOO_MANY_SERVICES',
        message: `${count} services, at most ${maxServices} are possible`,
      },
    ];
  }
  const services = listServices(topology);
  return [
    ...duplicates('node', topology.nodes, ['nodes']),
    ...duplicates('request class', topology.requests.classes, ['requests', 'classes']),
    ...checkServiceNames(services, topology),
    ...checkUserServices(topology),
    ...checkNodes(topology),
    ...checkLinks(topology),
    ...checkGateways(topology),
    ...checkEntries(topology),
    ...checkOrigins(topology),
    ...checkFlow(topology, services),
    ...checkRouters(topology, services.length),
    ...checkReplicas(topology),
  ];
}

function countServices({ services }: TopologyFile): number {
  return services.reduce((total, service) => total + ('generate' in service ? service.generate : 1), 0);
}

function checkNodes({ nodes, gateway, services }: TopologyFile): Finding[] {
  const names = nodes.map(({ name }) => name);
  const unknown = (name: string, path: Finding['path']): Finding => ({
    path,
    code: 'TB_TOPOLOGY_UNKNOWN_NODE',
    message: `no node is named "${name}"`,
    hint: suggestName(name, names, 'nodes'),
  });
  const findings: Finding[] = [];
  if (gateway.node !== undefined && !names.includes(gateway.node))
    findings.push(unknown(gateway.node, ['gateway', 'node']));
  const allClosed = nodes.every((node) => !node.services);
  for (const [i, service] of services.entries()) {
    const name = 'name' in service ? service.node : undefined;
    const node = nodes.find((one) => one.name === name);
    if (name === undefined) {
      if (!allClosed) continue;
      const message = `${'name' in service ? `"${service.name}" has` : 'generated services have'} no node: every node has \`services: false\``;
      findings.push({ path: ['services', i], code: 'TB_TOPOLOGY_NO_NODE', message });
    } else if (!node) {
      findings.push(unknown(name, ['services', i, 'node']));
    } else if (!node.services) {
      const message = `the node "${name}" takes no services (\`services: false\`)`;
      findings.push({ path: ['services', i, 'node'], code: 'TB_TOPOLOGY_CLOSED_NODE', message });
    }
  }
  return findings;
}

function checkLinks({ links, nodes }: TopologyFile): Finding[] {
  const known = placesOf(nodes);
  const seen = new Map<string, number>();
  return links.flatMap((link, i) => {
    const findings: Finding[] = [];
    for (const end of ['from', 'to'] as const) {
      if (known.includes(link[end])) continue;
      const message = `"${link[end]}" is neither a region nor a node`;
      const hint = suggestName(link[end], known, 'regions and nodes');
      findings.push({ path: ['links', i, end], code: 'TB_TOPOLOGY_UNKNOWN_PLACE', message, hint });
    }
    const invalid = (path: Finding['path'], message: string): void =>
      void findings.push({ path, code: 'TB_TOPOLOGY_INVALID_LINK', message });
    if (link.from === link.to && nodes.some(({ name }) => name === link.from)) {
      invalid(['links', i], `a link joins the node "${link.from}" with itself`);
    }
    if (link.jitter > link.delay)
      invalid(['links', i, 'jitter'], 'the jitter is larger than the delay, which would then fall below zero');
    const ends = [link.from, link.to].sort().join(' – ');
    const first = seen.get(ends);
    if (first === undefined) seen.set(ends, i);
    else invalid(['links', i], `the link ${ends} repeats links[${first}] (links work both ways)`);
    return findings;
  });
}

/** Gateways are named for their regions, and names of roles differ in more than letter case. */
function checkGateways({ gateways, nodes }: TopologyFile): Finding[] {
  if (gateways === 'one') return [];
  const regions = nodes.map(({ region }, i) => ({ name: region, i }));
  const distinct = regions.filter(({ name }, i) => regions.findIndex((one) => one.name === name) === i);
  return duplicates('region with a gateway', distinct, ['nodes']).map((finding) => {
    const { i = 0 } = distinct[finding.path[1] as number] ?? {};
    return { ...finding, path: ['nodes', i, 'region'] };
  });
}

/** A gateway where no request enters is no error: it stands ready, and its figures are those of an idle process. */
function checkEntries(topology: TopologyFile): Finding[] {
  if (topology.gateways === 'one') return [];
  const gateways = gatewaysOf(topology);
  const shares = gatewayShares({ gateways, requestClasses: topology.requests.classes });
  return gateways.flatMap(({ name, region, node }, at): Finding[] => {
    if ((shares[at] as number) > 0) return [];
    const message = `${name} gets no requests: no request class has an origin in ${region}`;
    return [{ path: ['nodes', node, 'region'], code: 'TB_TOPOLOGY_IDLE_GATEWAY', message, severity: 'warning' }];
  });
}

/** An origin may lie outside all regions, so an unknown one is only doubtful. */
function checkOrigins({ requests, nodes }: TopologyFile): Finding[] {
  const regions = [...new Set(nodes.map(({ region }) => region))];
  return requests.classes.flatMap(({ origin }, i) => {
    const path = ['requests', 'classes', i, 'origin'];
    const origins =
      typeof origin === 'string'
        ? [{ name: origin, path }]
        : Object.keys(origin).map((name) => ({ name, path: [...path, name] }));
    return origins
      .filter(({ name }) => !regions.includes(name))
      .map(
        ({ name, path: at }): Finding => ({
          path: at,
          at: at.length > path.length ? 'key' : 'value',
          code: 'TB_TOPOLOGY_UNKNOWN_PLACE',
          message: `no node stands in the region of origin "${name}"`,
          hint: suggestName(name, regions, 'regions'),
          severity: 'warning',
        }),
      );
  });
}

function checkRouters({ enforcement }: TopologyFile, services: number): Finding[] {
  const { count } = architectureTable[enforcement.architecture];
  if (!count || enforcement[count] <= services) return [];
  const message = `${enforcement[count]} ${count} for ${services} services: only ${services} take effect`;
  return [{ path: ['enforcement', count], code: 'TB_TOPOLOGY_ROUTERS_ABOVE_SERVICES', message, severity: 'warning' }];
}

function checkReplicas({ enforcement: { architecture, replicas } }: TopologyFile): Finding[] {
  if (replicas === 1 || isReplicated(architecture)) return [];
  const message = `${replicas} replicas have no effect under ${architecture}: ${noReplicas(architecture)}`;
  return [{ path: ['enforcement', 'replicas'], code: 'TB_TOPOLOGY_NO_REPLICAS', message, severity: 'warning' }];
}

/** Each point needs a second process or another point. */
function checkTakeover(topology: TopologyFile): Finding[] {
  const { enforcement } = topology;
  const { architecture, replicas, resilience } = enforcement;
  if (!resilience?.takeover) return [];
  const { count } = architectureTable[architecture];
  const points = count ? Math.min(enforcement[count], countServices(topology)) : 1;
  if (isReplicated(architecture) && points * replicas > 1) return [];
  const reason = isReplicated(architecture)
    ? 'there is one enforcement point with one process'
    : noReplicas(architecture);
  return [
    {
      path: ['enforcement', 'resilience', 'takeover'],
      code: 'TB_TOPOLOGY_NO_TAKEOVER',
      message: `no process could take over under ${architecture}: ${reason}`,
      hint: 'set enforcement.replicas to 2, or choose two routers or more; an experiment can leave out levels with --only',
    },
  ];
}

function noReplicas(architecture: Architecture): string {
  return isEnforced(architecture) ? 'each service has one sidecar' : 'it has no enforcement points';
}

function placesOf(nodes: TopologyFile['nodes']): string[] {
  return [...new Set(nodes.flatMap(({ name, region }) => [region, name]))];
}
