/** Converts conditions for the library: copies, which it modifies, with a list around a single comparison. */
import type { Condition } from '@topo-bench/core/schema/rules';
import type { TopLevelCondition } from 'json-rules-engine';

/** The condition as the library accepts it at the root of a rule or under a name. */
export function topLevelCondition(condition: Condition): TopLevelCondition {
  const copy = structuredClone('fact' in condition ? { all: [condition] } : condition);
  return copy as TopLevelCondition;
}
