/**
 * Where services without a node go. Services of the flow are spread first and alternatives after them, both so that
 * the counts per node come as close to each other as the services with a node of their own allow: they stay where they
 * are and count. Without such services, counts differ by at most one, and earlier nodes get the odd ones.
 */
import type { Placement } from '@topo-bench/core/schema/topology';

/**
 * @param count services to place, in the order of the flow
 * @param occupied services that each node has already
 * @param open indexes of the nodes that take services, at least one
 * @returns node of each service: `blocks` fills one node after the other, `round-robin` deals them out in turn
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

/** How many each open node gets: one after the other to the node that has fewest, the earlier one on a tie. */
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
