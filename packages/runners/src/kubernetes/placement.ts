/** The addresses of roles in pods: host names of Services. */
import { type ServerReach, seenByRoles } from '@topo-bench/core';
import type { DeploymentPlan, Placement } from '@topo-bench/deployment';
import { inPods } from '@topo-bench/deployment/kubernetes';

/**
 * @param reach of servers on this machine; the run has been refused where a store needs one and pods do not reach it
 */
export function inCluster(plan: DeploymentPlan, reach: ServerReach): Placement {
  return inPods(plan, (url) => seenByRoles(url, reach));
}
