/** The workshop: a page on loopback that changes a topology, predicts every architecture and measures one cell. */
export type { Calibrator } from './server/calibrator.ts';
export { type Following, runProgress } from './server/jobs.ts';
export * from './server/topology-files.ts';
export * from './server/workshop-server.ts';
