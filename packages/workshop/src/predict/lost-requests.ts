/** What is lost when an enforcement point dies: the same load, with a crash in the middle and no restart. */
import type { DemandModel } from '@topo-bench/core/schema/calibration';
import { plannedEvents } from '@topo-bench/simulator';
import { hashing, type Replicator } from './replicate.ts';
import type { Settings } from './settings.ts';

export interface LostRequests {
  architecture: string;
  /** The enforcement point that dies. */
  role: string;
  /** Share of the requests that were sent after its death. */
  share: number;
  /** How many these were. */
  sent: number;
  /** Requests that were in flight when it died, and lost. */
  inFlight: number;
}

/** An architecture without that figure. */
export interface NotSimulated {
  architecture: string;
  why: string;
}

/** Events run the machines of the roles, which takes many times as long as a trace. */
const maxServices = 100;

/** For the point that decides for most services. */
export async function lostRequests(
  architecture: string,
  { graph, plan, perform }: Replicator,
  settings: Settings,
  model: DemandModel,
  pause: () => Promise<void>,
): Promise<LostRequests | NotSimulated> {
  const points = plan.roles.filter(({ kind }) => kind !== 'gateway' && kind !== 'service');
  const [point] = points.toSorted((a, b) => b.responsibleFor.length - a.responsibleFor.length);
  if (!point) return { architecture, why: 'nothing enforces' };
  if (graph.services.length > maxServices) return { architecture, why: `not simulated above ${maxServices} services` };
  const { name: role } = point;
  const { replication, durationUs } = await perform(settings, model, 1, pause, (us) =>
    plannedEvents({ faults: [{ kind: 'crash', atUs: us / 2, roles: [role] }] }),
  );
  const { requests, answerTo } = replication;
  let [sent, lost, inFlight] = [0, 0, 0];
  for (let request = 0; request < requests.count; request++) {
    const { response } = answerTo(request, hashing) ?? {};
    const isLost = !response || response.outcome === 'error' || response.pastDeadline === true;
    const isLater = !((requests.sentUs[request] as number) < durationUs / 2);
    if (isLater) sent++;
    if (isLost && isLater) lost++;
    else if (isLost) inFlight++;
  }
  return { architecture, role, share: sent === 0 ? 0 : lost / sent, sent, inFlight };
}
