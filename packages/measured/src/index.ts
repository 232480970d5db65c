/** Measures real deployments: starts roles and database servers, watches their processes, and tears them down. */
export * from './data-rows.ts';
export * from './deploy-cell.ts';
export * from './load-place.ts';
export * from './measured-backend.ts';
export * from './measured-study.ts';
export * from './missing-parts.ts';
export * from './process-records.ts';
export * from './read-usage.ts';
export * from './role-usage.ts';
export * from './start-roles.ts';
export * from './stores/check-servers.ts';
export * from './stores/prepare-stores.ts';
export * from './stores/store-servers.ts';
export type { RepetitionSize } from './time-estimate.ts';
