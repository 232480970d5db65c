/** Computes the right decision of every step, without the rule engine. */

export * from './exposure.ts';
export * from './oracle.ts';
export type { Rules } from './read-rules.ts';
export { readRules } from './read-rules.ts';

export * from './redacted-copy.ts';
export * from './right-decision.ts';
export * from './rule-path.ts';
