/**
 * Checks that enforcement points with parts of a rule set decide as one point with all rules would. A decision names
 * all rules that matched, so a point decides alike if and only if no rule that it lacks can be met at its targets, and
 * its other rules are those of the file. The facts of a target are known, which makes the proof finite: three-valued
 * evaluation (Kleene) of each lacking rule for each target.
 */
import type { Decision, Facts } from '@topo-bench/core/facts';
import type { Condition } from '@topo-bench/core/schema/rules';
import { valueByKnown } from '../known-conditions.ts';
import { type Rule, type Rules, readRules } from '../read-rules.ts';
import { type OracleGraph, readServices } from '../read-services.ts';
import { rightDecision } from '../right-decision.ts';
import { findFacts } from './find-facts.ts';

/** The rules of one enforcement point, as it receives them. */
export interface RulesOfPoint {
  point: string;
  /** Names of the services that it decides for. */
  targets: readonly string[];
  rules: Omit<Rules, 'rules'> & { readonly rules: readonly Omit<Rule, 'service'>[] };
}

/** All enforcement points of an architecture. */
export interface Split {
  name: string;
  points: readonly RulesOfPoint[];
}

export interface SplitDifference {
  split: string;
  point: string;
  service: string;
  /** The rule that the point lacks, or has in another form; absent when default or named conditions differ. */
  rule?: string;
  problem: 'lacks' | 'differs' | 'superfluous';
  /** A request on which they differ; absent when the search found none: then nothing is proved for this rule. */
  example?: { facts: Facts; whole: Decision; part: Decision };
}

export interface SplitCheck {
  rules: number;
  services: number;
  /** Pairs of a rule and a service that were proved to never match, each once for all splits. */
  proved: number;
  /** Empty: all splits decide alike for every request. The first for each point. */
  differences: SplitDifference[];
}

export function checkSplits(graph: OracleGraph, splits: readonly Split[]): SplitCheck {
  const services = readServices(graph);
  const targets = new Map<string, Facts['target']>(
    services.map(({ name, nodeName, region, tags }) => [
      name,
      { service: name, node: nodeName, region, tags: [...tags] },
    ]),
  );
  const whole = readRules(graph.source.rules, [...targets.keys()]);
  const never = neverMet(whole);
  const differences = splits.flatMap(({ name, points }) =>
    points.flatMap((point): SplitDifference[] => {
      const found = differenceAt(point, whole, targets, never.isNeverMet);
      return found ? [{ split: name, point: point.point, ...found }] : [];
    }),
  );
  return { rules: whole.rules.length, services: services.length, proved: never.proved(), differences };
}

type Found = Omit<SplitDifference, 'split' | 'point'>;

function differenceAt(
  { rules: part, targets: names }: RulesOfPoint,
  whole: Rules,
  targets: ReadonlyMap<string, Facts['target']>,
  isNeverMet: (rule: Rule, target: Facts['target']) => boolean,
): Found | undefined {
  const held = new Map(part.rules.map((rule) => [rule.index, rule]));
  const [service = ''] = names;
  const sameFrame = part.default === whole.default && isEqual(part.conditions, whole.conditions);
  if (!sameFrame) return { service, problem: 'differs' };
  const unknown = part.rules.find(({ index }) => index >= whole.rules.length);
  if (unknown) return { service, rule: unknown.id, problem: 'superfluous' };
  for (const rule of whole.rules) {
    const own = held.get(rule.index);
    if (own && isSame(rule, own)) continue;
    for (const name of names) {
      const target = targets.get(name) as Facts['target'];
      if (!own && isNeverMet(rule, target)) continue;
      const example = exampleOf(rule, own?.when, target, whole, part);
      return { service: name, rule: rule.id, problem: own ? 'differs' : 'lacks', ...(example && { example }) };
    }
  }
  return undefined;
}

/** Evaluates each rule for each target at most once. */
function neverMet({ conditions }: Rules) {
  const known = new Map<string, Set<number>>();
  let count = 0;
  const isNeverMet = (rule: Rule, target: Facts['target']): boolean => {
    const proved = known.get(target.service) ?? new Set();
    known.set(target.service, proved);
    if (proved.has(rule.index)) return true;
    const isForOther = rule.service !== undefined && rule.service !== target.service;
    const facts = { target } as Facts;
    const isNever = isForOther || valueByKnown(rule.when, facts, conditions, ({ fact }) => fact === 'target') === false;
    if (isNever) {
      proved.add(rule.index);
      count++;
    }
    return isNever;
  };
  return { isNeverMet, proved: () => count };
}

function exampleOf(
  rule: Rule,
  ownWhen: Condition | undefined,
  target: Facts['target'],
  whole: Rules,
  part: RulesOfPoint['rules'],
): SplitDifference['example'] {
  if (rule.service !== undefined && rule.service !== target.service) return undefined;
  for (const when of [rule.when, ...(ownWhen ? [ownWhen] : [])]) {
    const facts = findFacts(when, target, whole.conditions);
    if (!facts) continue;
    const example = { facts, whole: rightDecision(whole, facts), part: rightDecision(part, facts) };
    if (!isEqual(example.whole, example.part)) return example;
  }
  return undefined;
}

/** A rule for one service is sent with that service in its condition. */
function isSame({ service, when, ...rule }: Rule, { when: ownWhen, ...own }: Omit<Rule, 'service'>): boolean {
  const isOfService = { fact: 'target', path: '$.service', operator: 'equal', value: service };
  const expected = service === undefined ? when : { all: [isOfService, when] };
  return isEqual({ ...rule, to: rule.to ?? null }, { ...own, to: own.to ?? null }) && isEqual(expected, ownWhen);
}

/** Deep equality, whatever the order of members. */
function isEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const names = Object.keys(one);
  if (Array.isArray(one) !== Array.isArray(other) || names.length !== Object.keys(other).length) return false;
  return names.every(
    (name) =>
      Object.hasOwn(other, name) &&
      isEqual((one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name]),
  );
}
