/** Computes the right decision of every step, without the rule engine. */

export * from './changed-decisions.ts';
export { asksPayload } from './conditions.ts';
export * from './exposure.ts';
export * from './oracle.ts';
export type { Rules } from './read-rules.ts';
export { readRules } from './read-rules.ts';

export * from './redacted-copy.ts';
export * from './right-decision.ts';
export * from './rule-path.ts';
export * from './rule-versions.ts';
export * from './splits/check-splits.ts';
