/** Reads topology files and builds frozen graphs. */
export * from './apply-overrides.ts';
export { replicaNames, replicasOf } from './architectures/architecture.ts';
export * from './architectures/registry.ts';
export * from './assign-routers.ts';
export * from './build-graph.ts';
export * from './empty-graph.ts';
export * from './expand-rules.ts';
export * from './finding.ts';
export * from './flow-order.ts';
export * from './graph.ts';
export * from './load-topology.ts';
export * from './never-holds.ts';
export * from './override-paths.ts';
export * from './read-document.ts';
export * from './replace-scalars.ts';
export * from './role-names.ts';
export * from './source-document.ts';
export * from './target-facts.ts';
