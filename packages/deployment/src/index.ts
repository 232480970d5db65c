/** Turns a graph into the processes that run it: their plan, the hops of a request, and the documents of each. */
export { type DocumentOptions, deploymentDocuments } from './deployment-documents.ts';
export type { DeploymentPlan, RolePlan } from './deployment-plan.ts';
export type { Placement } from './placement.ts';
export { planDeployment } from './plan-deployment.ts';
export { type CrossedLink, type PlannedHops, pathLinks, plannedHops } from './planned-hops.ts';
export { clientToken, deliveryKeys } from './role-secrets.ts';
