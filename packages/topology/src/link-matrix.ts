/**
 * Links between regions or nodes as a matrix over nodes. A link with a node takes precedence over one with its region.
 */
import type { TopologyFile } from '@topo-bench/core/schema/topology';
import type { LinkDelay } from './graph.ts';

type Link = TopologyFile['links'][number];
type NamedNode = TopologyFile['nodes'][number];

/**
 * @returns `matrix[from][to]`, symmetric; undefined without a link and on the diagonal. A name that is both a node and
 * a region means the node. Among equally specific links the last in the file takes precedence.
 */
export function linkMatrix(links: readonly Link[], nodes: readonly NamedNode[]): (LinkDelay | undefined)[][] {
  return nodes.map((from) => nodes.map((to) => (from === to ? undefined : linkBetween(from, to, links, nodes))));
}

/**
 * The link between clients of a region and a node, such as that of their gateway; undefined without one.
 * @param origin region of the clients, which stand on none of its nodes
 */
export function clientLink(
  origin: string,
  to: NamedNode,
  { links, nodes }: Pick<TopologyFile, 'links' | 'nodes'>,
): LinkDelay | undefined {
  return linkBetween({ ...to, name: '', region: origin }, to, links, nodes);
}

function linkBetween(
  from: NamedNode,
  to: NamedNode,
  links: readonly Link[],
  nodes: readonly NamedNode[],
): LinkDelay | undefined {
  const best = links.reduce<{ rank: number; link: Link | undefined }>(
    (found, link) => {
      const rank = specificity(link, from, to, nodes);
      return rank > 0 && rank >= found.rank ? { rank, link } : found;
    },
    { rank: 0, link: undefined },
  );
  return best.link && { delayUs: best.link.delay, jitterUs: best.link.jitter };
}

/** 0: no match · 1: region and region · 2: node and region · 3: node and node. */
function specificity({ from, to }: Link, a: NamedNode, b: NamedNode, nodes: readonly NamedNode[]): number {
  const isNode = (name: string): boolean => nodes.some((node) => node.name === name);
  const fits = (name: string, node: NamedNode): boolean => (isNode(name) ? node.name === name : node.region === name);
  if (!(fits(from, a) && fits(to, b)) && !(fits(from, b) && fits(to, a))) return 0;
  return 1 + Number(isNode(from)) + Number(isNode(to));
}
