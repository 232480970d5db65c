/**
 * The oracle for queries over Flight SQL: which columns of items a query may read. Written from
 * docs/internals/flight.md, independent of the service.
 */
import type { Facts, TargetFacts } from '@topo-bench/core/facts';
import type { Graph } from '@topo-bench/topology/graph';
import { type Operand, operandsOf, valueByKnown } from './known-conditions.ts';
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
  const region = service.persistence?.region ?? node.region;
  const target = { service: service.name, node: node.name, region, tags: [...service.tags] };
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
  const isKnown = ({ fact }: Operand): boolean => fact === 'target';
  if (valueByKnown(when, { target } as Facts, conditions, isKnown) === false) return false;
  const names = columns.flatMap(({ name, fields }) => [name, ...fields]);
  return operandsOf(when, conditions).some(({ fact, path }) => {
    if (fact !== 'request') return false;
    const [first, second] = pathSteps(path ?? '$');
    if (first === undefined || first === 'origin' || first === 'consents') return true;
    return first === 'payload' && (second === undefined || names.includes(second));
  });
}

/** The first member of a JSON pointer (RFC 6901, section 4); undefined for the whole document. */
function firstStep(pointer: string): string | undefined {
  return pointer.split('/')[1]?.replaceAll('~1', '/').replaceAll('~0', '~');
}
