/**
 * The oracle's own reader of services, nodes and flows. It uses the graph only for the placement of services without a
 * node.
 */
import type { FlowItem, TopologyFile } from '@topo-bench/core/schema/topology';
import type { Graph } from '@topo-bench/topology/graph';

/** Part of a graph that the oracle uses. */
export type OracleGraph = Pick<Graph, 'source' | 'services'>;

export interface Service {
  name: string;
  /** Index of its node in the file. */
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

/** The flow as a series of services and groups. A list in a series is a group, a list in a group is a series. */
export function readFlow({ flow }: TopologyFile, services: readonly Service[]): FlowItem[] {
  return flow === 'chain' ? services.filter(({ alternative }) => !alternative).map(({ name }) => name) : flow;
}

/** Index of the gateway's node, which is also the node of a central entity. */
function gatewayNode({ gateway, nodes }: TopologyFile): number {
  return gateway.node === undefined ? 0 : nodes.findIndex(({ name }) => name === gateway.node);
}

/**
 * Index of the node at which requests of an origin enter. With a gateway per region it is the first node of that
 * region, if there is one and the region is not that of the gateway's own node.
 */
export function entryNode(topology: TopologyFile, origin: string): number {
  const { gateways, nodes } = topology;
  const own = gatewayNode(topology);
  if (gateways === 'one' || nodes[own]?.region === origin) return own;
  const inRegion = nodes.findIndex(({ region }) => region === origin);
  return inRegion < 0 ? own : inRegion;
}

/**
 * Index of the node of each service's enforcement point. There are min(k, services) routers. With at most as many
 * routers as nodes with services, each router is on the first node of a contiguous block of these nodes. Earlier blocks
 * are larger by at most one. With more routers, each service has a router on its own node.
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
