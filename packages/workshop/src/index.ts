/** The workshop: a page on loopback that changes a topology, predicts every architecture and measures one cell. */
export * from './server/topology-files.ts';
export * from './server/workshop-server.ts';
