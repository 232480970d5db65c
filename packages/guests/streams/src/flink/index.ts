/** The same jobs on Apache Flink: a jar with its points is submitted over the REST interface of a cluster. */
export { flinkDatabases } from './databases/databases.ts';
export * from './flink-cluster.ts';
export { jobFolder } from './job-jar.ts';
export type { FlinkFigures } from './job-result.ts';
