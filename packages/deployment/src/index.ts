/** From a graph to the processes that run it: their plan, the hops of a request, and the configuration of each. */
export type { DeploymentPlan, RolePlan } from './deployment-plan.ts';
export { planDeployment } from './plan-deployment.ts';
export { type CrossedLink, type PlannedHops, pathLinks, plannedHops } from './planned-hops.ts';
export { deliveryKeys, type RoleConfigOptions, roleConfigs } from './role-configs.ts';
export { toRoleGraph } from './role-graph.ts';
