/** Two sides measured in turn, for gates: loaded by them alone. */
export * from './asked-difference.ts';
export * from './ref.ts';
export * from './run-side-by-side.ts';
export * from './sides.ts';
