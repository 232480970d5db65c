/** The light part of core: what every package may load at start. Schemas are imported by path, since they load zod. */

export * from './architectures.ts';
export * from './cell-key.ts';
export * from './clock.ts';
export * from './control.ts';
export * from './deployment-graph.ts';
export * from './error-codes.ts';
export * from './errors.ts';
export * from './exit-codes.ts';
export * from './facts.ts';
export * from './gateway-api.ts';
export * from './item-api.ts';
export * from './load-facts.ts';
export * from './persistence.ts';
export * from './random.ts';
export * from './role-config.ts';
export * from './role-handshake.ts';
export * from './role-secrets.ts';
export * from './rule-conditions.ts';
export * from './rule-operators.ts';
export * from './rule-path.ts';
export * from './rule-set.ts';
export * from './run-folder.ts';
export * from './sample.ts';
export * from './setup-differences.ts';
export * from './units.ts';
