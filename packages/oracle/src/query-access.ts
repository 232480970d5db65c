/**
 * The oracle for queries over Flight SQL: which columns of items a query may read. Written from
 * docs/decisions/0017-flight-sql.md, independent of the service.
 */
import type { Facts, TargetFacts } from '@topo-bench/core/facts';
import type { Comparison, Condition } from '@topo-bench/core/schema/rules';
import type { Graph } from '@topo-bench/topology/graph';
import { isMet } from './conditions.ts';
import { rulesOf } from './oracle.ts';
import type { Rule, Rules } from './read-rules.ts';
import { rightDecision } from './right-decision.ts';
import { pathSteps } from './rule-path.ts';

/** A column of the store, and the fields of an item that it contains. */
export interface QueriedColumn {
  name: string;
  fields: readonly string[];
}

/** `refused`: no query is answered. Each row of a result has the effect and rule; undefined without enforcement. */
export type QueryAccess =
  | { refused: true }
  | { refused: false; withheld: string[]; effect?: 'allow' | 'redact'; rule?: string | undefined };

export function queryAccess(graph: Graph, serviceName: string, columns: readonly QueriedColumn[]): QueryAccess {
  if (graph.enforcement.architecture === 'none') return { refused: false, withheld: [] };
  const service = graph.services.find(({ name }) => name === serviceName) as Graph['services'][number];
  const node = graph.nodes[service.node] as Graph['nodes'][number];
  const target = { service: service.name, node: node.name, region: node.region, tags: [...service.tags] };
  const { class: kind = 'row', purpose = 'contract' } = service.arrow?.facts ?? {};
  const categories = Object.values(service.persistence?.categories ?? {}).filter((one) => one !== 'none');
  const rules = rulesOf(graph);
  if (rules.rules.some((rule) => dependsOnRow(rule, rules, target, columns))) return { refused: true };
  const request = {
    class: kind,
    purpose,
    origin: '',
    consents: [],
    categories: [...new Set(categories)] as string[],
    payload: {},
  };
  const decision = rightDecision(rules, { request, target, flow: { services: [], regions: [] } });
  const { effect, rule, remove, pseudonymise } = decision;
  if (effect === 'deny' || effect === 'reroute') return { refused: true };
  const touched = [...remove, ...pseudonymise].map((pointer) => firstStep(pointer));
  const withheld = columns.filter(({ name, fields }) =>
    touched.some((step) => step === undefined || step === name || fields.includes(step)),
  );
  return { refused: false, withheld: withheld.map(({ name }) => name), effect, rule };
}

/** Whether a rule that may apply to the target reads something that differs between rows. */
function dependsOnRow(
  { service, when }: Rule,
  { conditions }: Rules,
  target: TargetFacts,
  columns: readonly QueriedColumn[],
): boolean {
  if (service !== undefined && service !== target.service) return false;
  if (knownFor(when, target, conditions) === false) return false;
  const names = columns.flatMap(({ name, fields }) => [name, ...fields]);
  return operandsOf(when, conditions).some(({ fact, path }) => {
    if (fact !== 'request') return false;
    const [first, second] = pathSteps(path ?? '$');
    if (first === undefined || first === 'origin' || first === 'consents') return true;
    return first === 'payload' && (second === undefined || names.includes(second));
  });
}

/** The value of a condition as far as the target determines it; undefined where it depends on a request. */
function knownFor(condition: Condition, target: TargetFacts, named: Rules['conditions']): boolean | undefined {
  if ('all' in condition || 'any' in condition) {
    const deciding = 'any' in condition;
    const members = 'all' in condition ? condition.all : condition.any;
    const values = members.map((member) => knownFor(member, target, named));
    if (members.length === 0) return true;
    if (values.includes(deciding)) return deciding;
    return values.includes(undefined) ? undefined : !deciding;
  }
  if ('not' in condition) {
    const value = knownFor(condition.not, target, named);
    return value === undefined ? undefined : !value;
  }
  if ('condition' in condition) return knownFor(named[condition.condition] as Condition, target, named);
  if (operandsOf(condition, named).some(({ fact }) => fact !== 'target')) return undefined;
  return isMet(condition, { target } as Facts, named);
}

/** Facts and paths on both sides of all comparisons of a condition. */
function operandsOf(condition: Condition, named: Rules['conditions']): Pick<Comparison, 'fact' | 'path'>[] {
  if ('all' in condition) return condition.all.flatMap((member) => operandsOf(member, named));
  if ('any' in condition) return condition.any.flatMap((member) => operandsOf(member, named));
  if ('not' in condition) return operandsOf(condition.not, named);
  if ('condition' in condition) return operandsOf(named[condition.condition] as Condition, named);
  const { value } = condition;
  const isFact = typeof value === 'object' && value !== null && Object.hasOwn(value, 'fact');
  return isFact ? [condition, value as unknown as Pick<Comparison, 'fact' | 'path'>] : [condition];
}

/** The first member of a JSON pointer (RFC 6901, section 4); undefined for the whole document. */
function firstStep(pointer: string): string | undefined {
  return pointer.split('/')[1]?.replaceAll('~1', '/').replaceAll('~0', '~');
}
