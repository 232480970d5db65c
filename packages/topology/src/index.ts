export * from './deployment.ts';
export * from './graph.ts';
