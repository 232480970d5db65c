/** Turns a graph into the processes that run it: their plan, the hops of a request, and the documents of each. */

export { gatewayName } from '@topo-bench/topology';
export { deploymentDocuments, documentsFolder } from './deployment-documents.ts';
export { type DeploymentPlan, decidersOf, type RolePlan, replicasOfPoint } from './deployment-plan.ts';
export * from './expected-loss.ts';
export { inFlightCap } from './hop-policy.ts';
export { hostNameOf, userHostOf } from './host-name.ts';
export type { Placement } from './placement.ts';
export { planDeployment } from './plan-deployment.ts';
export { linksAloneUs, plannedHops } from './planned-hops.ts';
export { plannedWork, type RoleWork } from './planned-work.ts';
export * from './role-events.ts';
export { clientToken, databasePassword, deliveryKeys } from './role-secrets.ts';
export { type DeploymentRuleChange, ruleChange } from './rule-change.ts';
export { ruleChangeObstacle, ruleMessages } from './rule-stages.ts';
export { rulesOfPoint } from './rules-of-point.ts';
export * from './user-image.ts';
