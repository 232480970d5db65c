/** A deployment on a calendar: the flow of requests as traces, and the processes, links and connections it takes. */
export { type Cluster, clusterOf, clusterProblems, oneHost } from './cluster.ts';
export { type EventsOfLoad, plannedEvents } from './engine/planned-events.ts';
export { nextPollUs, timedRuleChange } from './engine/timed-rule-change.ts';
export { type Replication, type ReplicationSetup, SimulatedDeployment } from './simulated-deployment.ts';
export { type Stability, stateOf } from './stability.ts';
