/** Computes the right decision of every step, without the rule engine. */
export type { ExpectedDelivery } from './check-delivery.ts';
export type { Outcome, Verdict } from './check-steps.ts';
export type { ExpectedFlow, ExpectedStep } from './expected-flow.ts';
export * from './exposure.ts';
export * from './item-calls.ts';
export * from './oracle.ts';
export type { Rule, Rules } from './read-rules.ts';
export { readRules } from './read-rules.ts';
export type { OracleGraph } from './read-services.ts';
export * from './redacted-copy.ts';
export * from './right-decision.ts';
export * from './rule-path.ts';
