/**
 * The first members of each fact, as data: what `$.…` of a condition may begin with. Holds the shape of `Facts` for
 * file validation.
 */
import type { Facts } from './facts.ts';

export const ruleFactMembers = {
  request: ['class', 'origin', 'categories', 'consents', 'purpose', 'payload'],
  target: ['service', 'node', 'region', 'tags'],
  flow: ['services', 'regions'],
} as const satisfies { readonly [F in keyof Facts]: readonly (keyof Facts[F])[] };
