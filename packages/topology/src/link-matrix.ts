/** Links between regions or nodes as a matrix over nodes. A link that names a node beats one that names its region. */
import type { TopologyFile } from '@topo-bench/core/schema/topology';
import type { LinkDelay } from './graph.ts';

type Link = TopologyFile['links'][number];
type NamedNode = TopologyFile['nodes'][number];

/**
 * @returns `matrix[from][to]`, symmetric; undefined where no link applies and on the diagonal. A name that is both a
 * node and a region means the node. Among links that are equally specific the last in the file wins.
 */
export function linkMatrix(links: readonly Link[], nodes: readonly NamedNode[]): (LinkDelay | undefined)[][] {
  return nodes.map((from) =>
    nodes.map((to) => {
      if (from === to) return undefined;
      const best = links.reduce<{ rank: number; link: Link | undefined }>(
        (found, link) => {
          const rank = specificity(link, from, to, nodes);
          return rank > 0 && rank >= found.rank ? { rank, link } : found;
        },
        { rank: 0, link: undefined },
      );
      return best.link && { delayUs: best.link.delay, jitterUs: best.link.jitter };
    }),
  );
}

/** 0: does not join them · 1: region and region · 2: node and region · 3: node and node. */
function specificity({ from, to }: Link, a: NamedNode, b: NamedNode, nodes: readonly NamedNode[]): number {
  const isNode = (name: string): boolean => nodes.some((node) => node.name === name);
  const fits = (name: string, node: NamedNode): boolean => (isNode(name) ? node.name === name : node.region === name);
  if (!(fits(from, a) && fits(to, b)) && !(fits(from, b) && fits(to, a))) return 0;
  return 1 + Number(isNode(from)) + Number(isNode(to));
}
