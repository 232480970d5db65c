/** Chooses the process of an enforcement point that gets a flow, where the point has several. */
import { type DeploymentGraph, hash32 } from '@topo-bench/core';
import type { FlowState } from './messages.ts';

/**
 * Returns the name of a role. Without replicas it is that of the point.
 * @param failed the process that could not be reached: the next one of its point gets the flow
 */
export type ReplicaChoice = (point: string, flow: Pick<FlowState, 'id' | 'replyTo'>, failed?: string) => string;

/**
 * The choice of one caller. Round robin: in turn for each point, from its own number on, so that the replicas of a
 * point do not all begin with the same one. Sticky: by the request alone.
 * A branch that returns to the point of its fork goes to the process with the fork, which waits for its outcome. No
 * message passes between replicas of a point, and a request takes the same hops with any number of them.
 * @param name of the caller
 */
export function replicaChoice({ replicas }: Pick<DeploymentGraph, 'replicas'>, name: string): ReplicaChoice {
  if (!replicas) return (point) => point;
  const { spread, names } = replicas;
  const own = Math.max(0, ...Object.values(names).map((all) => all.indexOf(name)));
  const turns = new Map<string, number>();
  return (point, { id, replyTo }, failed) => {
    const all = names[point];
    if (!all) return point;
    if (all.includes(replyTo)) return replyTo;
    if (failed !== undefined) return all[(all.indexOf(failed) + 1) % all.length] as string;
    if (spread === 'sticky') return all[hash32(id) % all.length] as string;
    const turn = turns.get(point) ?? own;
    turns.set(point, (turn + 1) % all.length);
    return all[turn % all.length] as string;
  };
}

/** Name of the enforcement point of a role; its own without replicas. */
export function pointOf({ replicas }: Pick<DeploymentGraph, 'replicas'>, name: string): string {
  const found = Object.entries(replicas?.names ?? {}).find(([, all]) => all.includes(name));
  return found?.[0] ?? name;
}
