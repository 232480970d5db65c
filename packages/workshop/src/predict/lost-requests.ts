/** What is lost when an enforcement point dies: the same load, with a crash in the middle and no restart. */
import type { DemandModel } from '@topo-bench/core/schema/calibration';
import type { RolePlan } from '@topo-bench/deployment/deployment-plan';
import { plannedEvents } from '@topo-bench/simulator';
import { hashing, type Replicator } from './replicate.ts';
import type { Settings } from './settings.ts';

export interface LostRequests {
  /** The enforcement point that dies. */
  role: string;
  /** Share of the requests that were sent after its death. */
  share: number;
  /** How many these were. */
  sent: number;
  /** Requests that were in flight when it died, and lost. */
  inFlight: number;
}

/** @param points processes that enforce: the one that decides for most services dies */
export async function lostRequests(
  { perform }: Replicator,
  points: readonly RolePlan[],
  settings: Settings,
  model: DemandModel,
  pause: () => Promise<void>,
): Promise<LostRequests> {
  const [point] = points.toSorted((a, b) => b.responsibleFor.length - a.responsibleFor.length);
  const { name: role } = point as RolePlan;
  const { replication, setup } = await perform(settings, model, 1, pause, (us) => ({
    events: plannedEvents({ faults: [{ kind: 'crash', atUs: us / 2, roles: [role] }] }),
  }));
  const { requests, answerTo } = replication;
  let [sent, lost, inFlight] = [0, 0, 0];
  for (let request = 0; request < requests.count; request++) {
    const { response } = answerTo(request, hashing) ?? {};
    const isLost = !response || response.outcome === 'error' || response.pastDeadline === true;
    const isLater = !((requests.sentUs[request] as number) < setup.durationUs / 2);
    if (isLater) sent++;
    if (isLost && isLater) lost++;
    else if (isLost) inFlight++;
  }
  return { role, share: sent === 0 ? 0 : lost / sent, sent, inFlight };
}
