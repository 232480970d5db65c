/**
 * The kind of a request: all that determines what happens to it, apart from time. Requests of one kind have one trace.
 * Texts of the payload count with their length alone, unless a rule reads the payload.
 */
import { type GatewayRequest, parseRulePath, type RuleSet, utf8Length } from '@topo-bench/core';

/** Returns the key of a request's kind: equal for requests of one kind. */
export function requestKinds(rules: readonly RuleSet[]): (request: GatewayRequest) => string {
  const readsValues = rules.some(readsPayload);
  return ({ id: _, payload, ...facts }) => {
    const values = readsValues
      ? payload
      : Object.entries(payload).map(([field, value]) => [
          field,
          typeof value === 'string' ? utf8Length(value) : [value],
        ]);
    return JSON.stringify([facts, values]);
  };
}

/** Whether a rule compares a value of the payload, or the whole request. */
function readsPayload({ conditions, rules }: RuleSet): boolean {
  const visit = (part: unknown): boolean => {
    if (typeof part !== 'object' || part === null) return false;
    const { fact, path = '$' } = part as { fact?: unknown; path?: unknown };
    if (fact === 'request') {
      const [first = 'payload'] = parseRulePath(String(path)) ?? [];
      if (first === 'payload') return true;
    }
    return Object.values(part).some(visit);
  };
  return visit(Object.values(conditions)) || rules.some(({ when }) => visit(when));
}
