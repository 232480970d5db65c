/** Decides steps over rule sets: the port, its engines by name, and what else is computed from rules. Pure. */
export * from './check-rules.ts';
export * from './partition-rules.ts';
export * from './registry.ts';
export * from './rule-engine.ts';
