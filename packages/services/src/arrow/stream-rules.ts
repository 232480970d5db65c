/**
 * The rules of a service in the form that stream governance uses. Decided by the compiled engine, which is synchronous
 * and equivalent to the other engines.
 */
import type { AskedFacts, StreamRules } from '@topo-bench/columns';
import { isFactValue, parseRulePath, type RequestFacts, type RuleSet, type TargetFacts } from '@topo-bench/core';
import { pseudonym } from '@topo-bench/core/keyed-hashing';
import type { Condition } from '@topo-bench/core/schema/rules';
import { certainRules, checkRules, compareRank, partitionRules } from '@topo-bench/rule-engine';
import { createEngine } from '@topo-bench/rule-engine/compiled/engine';

/**
 * @param pseudonymKey of the run: columns and JSON get the same pseudonym for the same value
 * @throws TopoBenchError as `checkRules` does
 */
export function streamRules(ruleSet: RuleSet, target: TargetFacts, pseudonymKey: string): StreamRules {
  checkRules(ruleSet);
  const part = partitionRules(ruleSet, [target]);
  const engine = createEngine(part, [target]);
  const flow = { services: [], regions: [] };
  const certain = certainRules(part);
  return {
    decide: (request: RequestFacts) => engine.decide({ request, target, flow }),
    asks: askedFacts(part),
    refusal: (request, row) => {
      const met = certain({ request, target, flow }, (path) => dependsOnRow(path, row));
      const refusing = met.filter(({ effect }) => effect === 'deny' || effect === 'reroute');
      return refusing.sort(compareRank)[0]?.id;
    },
    mayPseudonymise: [...new Set(part.rules.flatMap((rule) => rule.pseudonymise))],
    pseudonym: (value) => pseudonym(value, pseudonymKey),
  };
}

/** @param path of the request */
function dependsOnRow([first, second]: readonly string[], { origin, consents, payload }: AskedFacts): boolean {
  if (first === undefined) return true;
  if (first === 'payload') return second === undefined || payload === 'everything' || payload.includes(second);
  return (first === 'origin' && origin) || (first === 'consents' && consents);
}

/** The facts that the conditions of all rules read, including the named conditions that they use. */
function askedFacts({ rules, conditions }: RuleSet): AskedFacts {
  const asked = { origin: false, consents: false, payload: new Set<string>(), all: false };
  const unseen = new Map(Object.entries(conditions));
  for (const { when } of rules) visit(when, asked, unseen);
  return { origin: asked.origin, consents: asked.consents, payload: asked.all ? 'everything' : [...asked.payload] };
}

interface Asked {
  origin: boolean;
  consents: boolean;
  payload: Set<string>;
  /** The rules read the whole payload or the whole request. */
  all: boolean;
}

/** @param unseen named conditions not visited yet */
function visit(condition: Condition, asked: Asked, unseen: Map<string, Condition>): void {
  if ('all' in condition) for (const member of condition.all) visit(member, asked, unseen);
  else if ('any' in condition) for (const member of condition.any) visit(member, asked, unseen);
  else if ('not' in condition) visit(condition.not, asked, unseen);
  else if ('condition' in condition) {
    const named = unseen.get(condition.condition);
    unseen.delete(condition.condition);
    if (named) visit(named, asked, unseen);
  } else if ('fact' in condition) {
    noteOperand(condition.fact, condition.path, asked);
    if (isFactValue(condition.value)) noteOperand(condition.value.fact, condition.value.path, asked);
  }
}

function noteOperand(fact: string, path: string | undefined, asked: Asked): void {
  if (fact !== 'request') return;
  const [first, second] = parseRulePath(path ?? '$') ?? [];
  if (first === undefined || first === 'origin') asked.origin = true;
  if (first === undefined || first === 'consents') asked.consents = true;
  if (first === 'payload' && second !== undefined) asked.payload.add(second);
  else if (first === undefined || first === 'payload') asked.all = true;
}
