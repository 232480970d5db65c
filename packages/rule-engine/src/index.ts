/** Decides steps by rule sets: the port, its engines by name, checks and explanations of rules. Pure. */
export * from './check-rules.ts';
export { compareRank } from './decision.ts';
export * from './explain.ts';
export * from './partition-rules.ts';
export * from './possible-rules.ts';
export * from './registry.ts';
export * from './rule-engine.ts';
export * from './run-examples.ts';
