/** The search for the highest rate that meets a condition. */
export * from './condition.ts';
export * from './find-max.ts';
export * from './harmless-lag.ts';
