/** Services, nodes and flow as a topology file has them; of the graph only the places of services without a node of their own. */
import type { FlowItem, TopologyFile } from '@topo-bench/core/schema/topology';
import type { Graph } from '@topo-bench/topology/graph';

/** What the oracle takes from a graph. */
export type OracleGraph = Pick<Graph, 'source' | 'services'>;

export interface Service {
  name: string;
  /** Place of its node in the file. */
  node: number;
  nodeName: string;
  region: string;
  tags: readonly string[];
  alternative: boolean;
}

/** All services in file order, alternatives included. */
export function readServices({ source: { topology }, services: placed }: OracleGraph): Service[] {
  const places = new Map(placed.map(({ name, node }) => [name, node]));
  const service = (
    name: string,
    own: string | undefined,
    tags: readonly string[] | undefined,
    alternative: boolean,
  ): Service => {
    const node =
      own === undefined ? (places.get(name) as number) : topology.nodes.findIndex((each) => each.name === own);
    const { name: nodeName, region } = topology.nodes[node] as TopologyFile['nodes'][number];
    return { name, node, nodeName, region, tags: tags ?? topology.defaults.tags, alternative };
  };
  return topology.services.flatMap((entry) => {
    if ('name' in entry) return [service(entry.name, entry.node, entry.tags, entry.role === 'alternative')];
    const numbers = Array.from({ length: entry.generate }, (_, i) => i + 1);
    return numbers.map((number) => service(`${entry.prefix}-${number}`, undefined, entry.tags, false));
  });
}

/** The flow as a series of services and groups: a list in a series is a group, a list in a group is a series again. */
export function readFlow({ flow }: TopologyFile, services: readonly Service[]): FlowItem[] {
  return flow === 'chain' ? services.filter(({ alternative }) => !alternative).map(({ name }) => name) : flow;
}

/** Place of the node of the gateway, where a central entity stands too. */
export function gatewayNode({ gateway, nodes }: TopologyFile): number {
  return gateway.node === undefined ? 0 : nodes.findIndex(({ name }) => name === gateway.node);
}

/**
 * Place of the node on which the enforcement point of each service stands. Routers: min(k, services); with no more routers than nodes
 * that have services, each router has a contiguous block of these nodes, earlier blocks being larger by at most one, and stands on
 * the first node of its block; with more routers every service has one on its own node.
 */
export function enforcementNodes(topology: TopologyFile, services: readonly Service[]): (service: Service) => number {
  const { architecture, routers } = topology.enforcement;
  if (architecture === 'central-entity') return () => gatewayNode(topology);
  const used = [...new Set(services.map(({ node }) => node))].sort((a, b) => a - b);
  const count = Math.min(routers, services.length);
  if (architecture !== 'dynamic-router' || count > used.length) return ({ node }) => node;
  const first = new Map<number, number>();
  for (let block = 0, from = 0; block < count; block++) {
    const size = Math.ceil((used.length - from) / (count - block));
    for (const node of used.slice(from, from + size)) first.set(node, used[from] as number);
    from += size;
  }
  return ({ node }) => first.get(node) as number;
}
