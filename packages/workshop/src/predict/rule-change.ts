/** How long a change of rules takes until every enforcement point decides by it, under the same load. */
import { TopoBenchError } from '@topo-bench/core';
import type { DemandModel } from '@topo-bench/core/schema/calibration';
import { changedParts, ruleChangeObstacle } from '@topo-bench/deployment/rule-stages';
import { nextPollUs, plannedEvents, timedRuleChange } from '@topo-bench/simulator';
import { type Figure, figureOf } from './predicted-cell.ts';
import { type Replicator, seed } from './replicate.ts';
import type { Settings } from './settings.ts';

export interface RuleChangeTime {
  /** From the request of a change until its last confirmation, µs: the median over several changes. */
  inForce: Figure;
  /** Processes that decide. */
  points: number;
}

const changes = 8;
const repetition = 1;

/** @throws TopoBenchError where the rules cannot change while the deployment runs */
export async function ruleChangeTime(
  { graph, plan, perform }: Replicator,
  settings: Settings,
  model: DemandModel,
  pause: () => Promise<void>,
): Promise<RuleChangeTime> {
  const obstacle = ruleChangeObstacle(graph, { graph, plan });
  if (obstacle) throw new TopoBenchError('TB_SIMULATE_UNSUPPORTED', obstacle.message);
  // The rules in force once more: their messages take as long as those of new rules of that size.
  const change = changedParts(graph, plan, 0);
  const waitUs = (role: string, nowUs: number): number => nextPollUs(graph, { seed, repetition }, role, nowUs);
  const { distribution } = graph.enforcement;
  const pollUs = typeof distribution === 'object' ? distribution.poll : 0;
  const took: number[] = [];
  await perform(settings, model, repetition, pause, (durationUs) => {
    // A change may be asked for at any time between two polls.
    const withinUs = Math.max(durationUs, pollUs);
    const timed = Array.from({ length: changes }, (_, at) => {
      const atUs = ((at + 0.5) / changes) * withinUs;
      const confirmed = (us: number): void => void took.push(us - atUs);
      return { ...timedRuleChange(atUs, change, waitUs), confirmed };
    });
    return { events: plannedEvents({ changes: timed }), durationUs: withinUs + pollUs + 1e6 };
  });
  if (took.length < changes) throw new TopoBenchError('TB_SIMULATE_UNSUPPORTED', 'a change was not confirmed');
  return { inForce: figureOf(took), points: Object.keys(change.parts).length };
}
