/**
 * Builds the frozen graph from checked files: resolves names, places services, compiles the flow and expands the rules.
 */
import type { RulesFile } from '@topo-bench/core/schema/rules';
import type { TopologyFile } from '@topo-bench/core/schema/topology';
import { compileFlow, flowNames } from './compile-flow.ts';
import { expandRules, noRules } from './expand-rules.ts';
import { gatewaysOf } from './gateways.ts';
import { withGeneratedRules } from './generated-rules.ts';
import type { Graph } from './graph.ts';
import { linkMatrix } from './link-matrix.ts';
import { flowItems, knownLimits, type ListedService, listServices } from './list-services.ts';
import { placeServices } from './place-services.ts';

/**
 * The files must have no findings (`checkTopology`, `checkRules`): unresolved names are programming errors here.
 * @param baseDir folder of the topology file
 */
export function buildGraph(topology: TopologyFile, ofFile: RulesFile | undefined, baseDir = '.'): Graph {
  const listed = listServices(topology, baseDir);
  const rules = withGeneratedRules(ofFile, listed);
  const flow = flowItems(topology.flow, listed);
  const indexOf = new Map(listed.map(({ name }, index) => [name, index]));
  const nodeOf = placed(listed, flowNames(flow), topology);
  return deepFreeze<Graph>({
    source: { topology, rules },
    name: topology.name,
    nodes: topology.nodes.map(({ name, region }, index) => ({ index, name, region })),
    services: listed.map(({ name, work, responseBytes, tags, limits, alternative, arrow, user }, index) => ({
      index,
      name,
      node: nodeOf.get(name)!,
      work,
      responseBytes,
      tags: [...tags],
      ...(limits && { limits }),
      ...persistenceOf(listed[index]),
      alternative,
      ...(arrow && { arrow }),
      ...(user && { user }),
    })),
    gateways: gatewaysOf(topology),
    gateway: knownLimits(topology.gateway.limits),
    flow: compileFlow(flow, (name) => indexOf.get(name)!),
    links: linkMatrix(topology.links, topology.nodes),
    requestClasses: topology.requests.classes,
    rules: rules ? expandRules(rules, listed) : noRules,
    framework: topology.framework,
    placement: topology.placement,
    enforcement: enforcementOf(topology),
    deadlines: { hopUs: topology.deadlines.hop, requestUs: topology.deadlines.request },
  });
}

/** Node index of each service, by name. */
function placed(
  listed: readonly ListedService[],
  flow: readonly string[],
  { nodes, placement }: TopologyFile,
): Map<string, number> {
  const nodeIndex = new Map(nodes.map(({ name }, index) => [name, index]));
  const open = nodes.flatMap(({ services }, index) => (services ? [index] : []));
  const nodeOf = new Map(
    listed.flatMap(({ name, node }) => (node === undefined ? [] : [[name, nodeIndex.get(node)!] as const])),
  );
  const inFlow = new Set(flow);
  const counts = (names: Iterable<string>): number[] => {
    const count = nodes.map(() => 0);
    for (const name of names) if (nodeOf.has(name)) count[nodeOf.get(name)!]!++;
    return count;
  };
  const place = (names: readonly string[], occupied: readonly number[]): void => {
    const homeless = names.filter((name) => !nodeOf.has(name));
    const places = placeServices(homeless.length, occupied, open, placement);
    homeless.forEach((name, i) => void nodeOf.set(name, places[i]!));
  };
  place(flow, counts(flow));
  const alternatives = listed.map(({ name }) => name).filter((name) => !inFlow.has(name));
  place(alternatives, counts(nodeOf.keys()));
  return nodeOf;
}

function persistenceOf(service: ListedService | undefined): Pick<Graph['services'][number], 'persistence'> {
  return service?.persistence ? { persistence: service.persistence } : {};
}

function enforcementOf({ enforcement: { limits, resilience, ...enforcement } }: TopologyFile): Graph['enforcement'] {
  return { ...enforcement, ...(resilience && { resilience }), ...knownLimits(limits) };
}

/** Freezes plain data recursively: a graph can be shared without copies. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
