/**
 * Places services without a node: first those of the flow, then alternatives. Both are spread to make the counts per
 * node as equal as possible. Services with a node of their own stay there and count. Without such services, counts
 * differ by at most one, and earlier nodes get one more.
 */
import type { Placement } from '@topo-bench/core/schema/topology';

/**
 * @param count number of services to place, in flow order
 * @param occupied number of services already on each node
 * @param open indexes of the nodes that accept services, at least one
 * @returns node of each service: `blocks` fills one node after the other, `round-robin` distributes them in turn
 */
export function placeServices(
  count: number,
  occupied: readonly number[],
  open: readonly number[],
  placement: Placement,
): number[] {
  const quota = fillEvenly(count, occupied, open);
  return placement === 'blocks'
    ? open.flatMap((node) => Array<number>(quota.get(node)!).fill(node))
    : deal(count, quota, open);
}

/** Number of services for each open node. Each service goes to the node with the fewest, the earlier one on a tie. */
function fillEvenly(count: number, occupied: readonly number[], open: readonly number[]): Map<number, number> {
  const quota = new Map(open.map((node) => [node, 0]));
  for (let i = 0; i < count; i++) {
    const load = (node: number): number => occupied[node]! + quota.get(node)!;
    const emptiest = open.reduce((best, node) => (load(node) < load(best) ? node : best));
    quota.set(emptiest, quota.get(emptiest)! + 1);
  }
  return quota;
}

function deal(count: number, quota: ReadonlyMap<number, number>, open: readonly number[]): number[] {
  const placed: number[] = [];
  for (let round = 0; placed.length < count; round++) {
    placed.push(...open.filter((node) => quota.get(node)! > round));
  }
  return placed;
}
