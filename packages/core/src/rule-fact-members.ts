/**
 * The first members of each fact, as data: the valid starts of a path `$.…` in a condition. File validation checks the
 * members of `Facts` with it.
 */
import type { Facts } from './facts.ts';

export const ruleFactMembers = {
  request: ['class', 'origin', 'categories', 'consents', 'purpose', 'payload'],
  target: ['service', 'node', 'region', 'tags'],
  flow: ['services', 'regions'],
} as const satisfies { readonly [F in keyof Facts]: readonly (keyof Facts[F])[] };
