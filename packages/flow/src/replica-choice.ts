/** Chooses the process of an enforcement point that gets a flow, and those that get it when that one is down. */
import { type DeploymentGraph, hash32 } from '@topo-bench/core';
import type { FlowState } from './messages.ts';

/**
 * Returns names of roles, the chosen one first. Without replicas it is that of the point. Another one gets the flow
 * when those before it cannot be reached. With takeover, processes of the point that takes over come last.
 */
export type ReceiverChoice = (point: string, flow: Pick<FlowState, 'id' | 'replyTo'>) => readonly string[];

/**
 * The choice of one caller. Round robin: in turn for each point, from its own number on, so that the replicas of a
 * point do not all begin with the same one. Sticky: by the request alone.
 * A branch that returns to the point of its fork goes to the process with the fork, which waits for its outcome; no
 * other one can take it. No message passes between replicas of a point, and a request takes the same hops with any
 * number of them.
 * @param name of the caller
 */
export function receiverChoice(
  { replicas, takeover = {} }: Pick<DeploymentGraph, 'replicas' | 'takeover'>,
  name: string,
): ReceiverChoice {
  const { spread, names = {} } = replicas ?? {};
  const own = Math.max(0, ...Object.values(names).map((all) => all.indexOf(name)));
  const turns = new Map<string, number>();
  const inTurn = (point: string, all: readonly string[], id: string): readonly string[] => {
    if (all.length === 1) return all;
    const turn = spread === 'sticky' ? hash32(id) : (turns.get(point) ?? own);
    if (spread !== 'sticky') turns.set(point, (turn + 1) % all.length);
    const first = turn % all.length;
    return [...all.slice(first), ...all.slice(0, first)];
  };
  return (point, { id, replyTo }) => {
    const all = names[point] ?? [point];
    if (all.includes(replyTo)) return [replyTo];
    const receivers = inTurn(point, all, id);
    const other = takeover[point] ?? point;
    if (other === point) return receivers;
    const others = names[other] ?? [other];
    return [...receivers, ...(others.includes(replyTo) ? [replyTo] : others)];
  };
}

/** Name of the enforcement point of a role; its own without replicas. */
export function pointOf({ replicas }: Pick<DeploymentGraph, 'replicas'>, name: string): string {
  const found = Object.entries(replicas?.names ?? {}).find(([, all]) => all.includes(name));
  return found?.[0] ?? name;
}
