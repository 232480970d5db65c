/** The error for a service that is not a target of the engine. The step fails closed. */
import { type TargetFacts, TopoBenchError } from '@topo-bench/core';

export function unknownTarget(service: string, targets: readonly TargetFacts[]): TopoBenchError {
  const known = targets.map((target) => target.service).join(', ') || 'none';
  return new TopoBenchError('TB_RULES_UNKNOWN_TARGET', `no rules are held for the service "${service}"`, {
    hint: `targets of this engine: ${known}`,
  });
}
