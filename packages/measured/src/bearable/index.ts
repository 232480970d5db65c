/** Estimates what the cells of an experiment need of a machine, from a probe of one of them. */
export * from './cost-model.ts';
export * from './cost-probe.ts';
