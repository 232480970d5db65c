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

/** The nodes of enforcement points, by the service that they decide for. */
export interface EnforcementNodes {
  enforcementNode: (service: Service) => number;
  /** Node of the point that decides while that of the service is down; undefined where no other does. */
  takeoverNode: (service: Service) => number | undefined;
}

/** While a router is down the next one decides for it, and for the last one the first. */
export function enforcementNodes(topology: TopologyFile, services: readonly Service[]): EnforcementNodes {
  const { architecture, resilience } = topology.enforcement;
  const takeoverNode = (): undefined => undefined;
  if (architecture === 'central-entity') return { enforcementNode: () => gatewayNode(topology), takeoverNode };
  if (architecture !== 'dynamic-router') return { enforcementNode: ({ node }) => node, takeoverNode };
  const { nodes, routerOf } = routersOf(topology, services);
  const routerAfter = (service: Service, steps: number): number =>
    nodes[((routerOf.get(service.name) as number) + steps) % nodes.length] as number;
  return {
    enforcementNode: (service) => routerAfter(service, 0),
    takeoverNode: resilience?.takeover && nodes.length > 1 ? (service) => routerAfter(service, 1) : takeoverNode,
  };
}

interface Routers {
  /** In their order. */
  nodes: number[];
  /** Index of the router of each service. */
  routerOf: ReadonlyMap<string, number>;
}

/**
 * There are min(k, services) routers. With at most as many routers as nodes with services, each router is on the first
 * node of a contiguous block of these nodes. Earlier blocks are larger by at most one. With more routers, each of these
 * nodes has one, and each further one belongs to the node that claims it most: its share of all routers, less those
 * that it has. The services of a node, in the order of the flow and alternatives last, are divided among its routers in
 * runs. Earlier runs are larger by at most one.
 */
function routersOf(topology: TopologyFile, services: readonly Service[]): Routers {
  const names = namesIn(readFlow(topology, services));
  const rank = ({ name }: Service): number => (names.includes(name) ? names.indexOf(name) : names.length);
  const ordered = [...services].sort((a, b) => rank(a) - rank(b));
  const used = [...new Set(services.map(({ node }) => node))].sort((a, b) => a - b);
  const count = Math.min(topology.enforcement.routers, services.length);
  const on = (node: number): Service[] => ordered.filter((service) => service.node === node);
  const claims = used
    .flatMap((node) => {
      const [, ...own] = on(node).map((_, had) => ({
        node,
        strength: count * on(node).length - had * services.length,
      }));
      return own;
    })
    .sort((a, b) => b.strength - a.strength || a.node - b.node);
  const further = claims.slice(0, Math.max(0, count - used.length));
  const runs =
    count <= used.length
      ? inRuns(used, count).map((block) => ({ node: block[0] as number, services: block.flatMap(on) }))
      : used.flatMap((node) => {
          const own = 1 + further.filter((claim) => claim.node === node).length;
          return inRuns(on(node), own).map((run) => ({ node, services: run }));
        });
  return {
    nodes: runs.map(({ node }) => node),
    routerOf: new Map(runs.flatMap((run, router) => run.services.map(({ name }) => [name, router] as const))),
  };
}

function namesIn(items: readonly FlowItem[]): string[] {
  return items.flatMap((item) => (typeof item === 'string' ? item : namesIn(item)));
}

function inRuns<T>(items: readonly T[], count: number): T[][] {
  let from = 0;
  return Array.from({ length: count }, (_, run) => {
    const size = Math.ceil((items.length - from) / (count - run));
    from += size;
    return items.slice(from - size, from);
  });
}
