/** The right decision of every step, computed without the rule engine. */
export type { ExpectedDelivery } from './check-delivery.ts';
export type { Outcome, Verdict } from './check-steps.ts';
export * from './expected-flow.ts';
export * from './item-calls.ts';
export * from './oracle.ts';
export { rightDecision } from './right-decision.ts';
