/** A change of rules on the calendar: when each of its messages is sent, or fetched. */
import { type ChangedParts, ruleStages } from '@topo-bench/deployment/rule-stages';
import type { TimedRuleChange } from '@topo-bench/flow/memory';
import type { Graph } from '@topo-bench/topology/graph';
import { streams } from '@topo-bench/workload';

/**
 * Messages take the time of messages between processes. A fetched part waits for the next question of its point.
 * @param waitUs time until a role asks, from a time of the load on
 */
export function timedRuleChange(
  atUs: number,
  change: ChangedParts,
  waitUs: (role: string, nowUs: number) => number,
): TimedRuleChange {
  const stages = ruleStages(change).map((stage) =>
    stage.map(({ isFetched, ...message }) => {
      return { ...message, delayUs: isFetched ? (nowUs: number) => waitUs(message.to, nowUs) : 0 };
    }),
  );
  return { atUs, stages };
}

/** Time until a point asks again. Points have begun to ask at any time; with `stream` a question is always open. */
export function nextPollUs(
  { enforcement: { distribution } }: Pick<Graph, 'enforcement'>,
  { seed, repetition }: { seed: number; repetition: number },
  role: string,
  nowUs: number,
): number {
  if (typeof distribution !== 'object') return 0;
  const { poll: everyUs } = distribution;
  const firstUs = streams.polls(seed, repetition, role).uniform() * everyUs;
  const polls = Math.max(0, Math.ceil((nowUs - firstUs) / everyUs));
  return firstUs + polls * everyUs - nowUs;
}
