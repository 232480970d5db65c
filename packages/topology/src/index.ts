/** Topology files to frozen graphs and deployment plans. */
export * from './apply-overrides.ts';
export * from './assign-routers.ts';
export * from './build-graph.ts';
export * from './deployment.ts';
export * from './expand-rules.ts';
export * from './flow-order.ts';
export * from './graph.ts';
export * from './load-topology.ts';
export * from './nearest-name.ts';
export * from './plan-deployment.ts';
export * from './planned-hops.ts';
export * from './read-document.ts';
export * from './replace-scalars.ts';
export * from './role-graph.ts';
export * from './source-document.ts';
