/**
 * The oracle for item calls. The store is the target, with its own region. The rules alone determine which data may be
 * stored or returned. Written from the documentation of the item routes, independent of their implementation.
 */
import { createHmac } from 'node:crypto';
import type { Decision, Facts } from '@topo-bench/core/facts';
import type { Condition } from '@topo-bench/core/schema/rules';
import type { Graph } from '@topo-bench/topology/graph';
import { exposureBytes } from './exposure.ts';
import { mayBeMet } from './known-conditions.ts';
import { rulesOf } from './oracle.ts';
import type { Rule, Rules } from './read-rules.ts';
import { rightDecision } from './right-decision.ts';

export type ItemFacts = Pick<Facts['request'], 'class' | 'origin' | 'purpose' | 'consents'>;
export type ItemLike = Readonly<Record<string, unknown>> & { readonly id: string };

/** `rule` is undefined when the default effect refused. */
export type RightCall = { refused: true; rule: string | undefined } | { refused: false };

/** `withheld` are the fields of items that statistics must not show. */
export type RightStatistics =
  | { refused: true; rule: string | undefined }
  | ({ refused: false; withheld: readonly string[] } & Pick<Decision, 'effect' | 'rule'>);

export interface ItemOracle {
  /** Whether rules are enforced: false under `none`. */
  enforced: boolean;
  /** Whether the facts of the call alone refuse it, without an item. */
  call(facts: ItemFacts): RightCall;
  /** Whether a list may be filtered by these fields of items; its order is that of their times of creation. */
  filter(facts: ItemFacts, fields: readonly string[]): RightCall;
  /** Statistics of all items: refused where rules look at items in this call. */
  statistics(facts: ItemFacts): RightStatistics;
  /** Whether rules may deny an item by its contents. A denied item and a missing one then have one answer. */
  mayDeny(facts: ItemFacts): boolean;
  /** The decision about one item; a reroute is a denial. */
  decide(facts: ItemFacts, item: ItemLike): Pick<Decision, 'effect' | 'rule'>;
  /** The item as stored after a write; undefined when the write is refused. */
  stored(facts: ItemFacts, item: ItemLike): ItemLike | undefined;
  /** The item in the answer to a write: as stored, but empty where a pseudonym is, which the caller must not see. */
  answered(facts: ItemFacts, item: ItemLike): ItemLike | undefined;
  /** The item as returned to a reader; undefined when it is denied. */
  visible(facts: ItemFacts, item: ItemLike): ItemLike | undefined;
  /**
   * Exposed bytes of a write, by category: withheld data that had reached the node of the store.
   * @param refused whether the write is refused whatever its item, since the stored one is denied
   */
  exposureBytes(facts: ItemFacts, item: ItemLike, refused?: boolean): Record<string, number>;
}

/** Members that an item is stored with as they are, or not at all. */
const indispensable = ['status', 'createdAt', 'currency'];
/** Replacements for members of a stored item that a redaction removed or changed in type. */
const blanks: Readonly<Record<string, unknown>> = {
  customer: '',
  currency: '',
  totalCents: 0,
  lines: [],
  address: {},
  note: '',
};
const blankAddress = { name: '', street: '', city: '', postcode: '', country: '' };
const blankLine = { sku: '', title: '', quantity: 0, priceCents: 0 };

/**
 * @param enforcementNode node of the service's enforcement point; undefined under `none`
 * @param pseudonymKey key of the run's pseudonyms
 */
export function itemOracle(
  graph: Graph,
  serviceName: string,
  enforcementNode: number | undefined,
  pseudonymKey: string,
): ItemOracle {
  const service = graph.services.find(({ name }) => name === serviceName) as Graph['services'][number];
  const { categories = {}, region } = service.persistence ?? {};
  const node = graph.nodes[service.node] as Graph['nodes'][number];
  const target = { service: service.name, node: node.name, region: region ?? node.region, tags: [...service.tags] };
  const fieldCategories = Object.fromEntries(
    Object.entries(categories).filter(([, category]) => category !== undefined && category !== 'none'),
  ) as Record<string, string>;
  const written = rulesOf(graph);
  const rules: Rules = { ...written, rules: written.rules.map(denyingWithoutId) };
  const ofItems = rules.rules.filter(({ when }) => asksPayload(when, rules.conditions));
  const ofCalls: Rules = { ...rules, rules: rules.rules.filter((rule) => !ofItems.includes(rule)) };

  const factsOf = (facts: ItemFacts, payload: Record<string, unknown>): Facts => {
    const request = { ...facts, categories: [...new Set(Object.values(fieldCategories))], payload };
    return { request, target, flow: { services: [], regions: [] } };
  };
  /** Rules that look at items and that the facts of the call do not rule out. */
  const possible = (facts: ItemFacts): Rule[] =>
    ofItems.filter(({ service: only, when }) => {
      return (only === undefined || only === target.service) && mayBeMet(when, factsOf(facts, {}), rules.conditions);
    });
  /** A rule about items can only permit what no rule about calls denies. */
  const permitsByItem = (facts: ItemFacts): boolean => {
    const { effect, rule } = ask(ofCalls, facts, {});
    const permits = possible(facts).some((one) => one.effect === 'allow' || one.effect === 'redact');
    return effect === 'deny' && rule === undefined && permits;
  };
  const ask = (ruleSet: Rules, facts: ItemFacts, payload: Record<string, unknown>): Decision => {
    const decision = rightDecision(ruleSet, factsOf(facts, payload));
    return decision.effect === 'reroute' ? { ...decision, effect: 'deny', remove: [], pseudonymise: [] } : decision;
  };
  const payloadOf = ({ id: _, ...payload }: ItemLike): Record<string, unknown> => payload;
  const hidden = ({ effect, remove, pseudonymise }: Decision): string[] =>
    effect === 'redact' ? [...remove, ...pseudonymise] : [];
  const decideItem = (facts: ItemFacts, item: ItemLike): Decision => ask(rules, facts, { ...item });
  const redact = (item: ItemLike, { remove, pseudonymise }: Decision): ItemLike => {
    const withPseudonyms = pseudonymise.reduce<unknown>(
      (value, pointer) => changed(value, steps(pointer), pseudonymKey),
      payloadOf(item),
    );
    // Remove list elements from the end: earlier indexes stay valid.
    const inOrder = [...remove].sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
    const payload = inOrder.reduce<unknown>(
      (value, pointer) => changed(value, steps(pointer), undefined),
      withPseudonyms,
    );
    return { ...(payload as Record<string, unknown>), id: item.id };
  };
  const stored = (item: ItemLike, decision: Decision): ItemLike | undefined => {
    if (decision.effect === 'deny') return undefined;
    const left = decision.effect === 'redact' ? redact(item, decision) : item;
    if (indispensable.some((field) => left[field] !== item[field]) || lacksParts(left)) return undefined;
    return decision.effect === 'redact' ? complete(left) : item;
  };

  return {
    enforced: graph.enforcement.architecture !== 'none',
    call(facts) {
      const { effect, rule } = ask(ofCalls, facts, {});
      return effect === 'deny' && !permitsByItem(facts) ? { refused: true, rule } : { refused: false };
    },
    filter(facts, fields) {
      const decision = ask(ofCalls, facts, {});
      const all = [
        { rule: decision.rule, pointers: hidden(decision) },
        ...possible(facts).map(({ id, remove, pseudonymise }) => ({
          rule: id,
          pointers: [...remove, ...pseudonymise],
        })),
      ];
      for (const field of [...fields, 'createdAt']) {
        const found = all.find(({ pointers }) => pointers.some((pointer) => steps(pointer)[0] === field));
        if (found) return { refused: true, rule: found.rule };
      }
      return { refused: false };
    },
    statistics(facts) {
      const call = this.call(facts);
      if (call.refused) return call;
      if (possible(facts).length > 0) return { refused: true, rule: undefined };
      const decision = ask(ofCalls, facts, {});
      const { effect, rule } = decision;
      return { refused: false, effect, rule, withheld: hidden(decision).map((pointer) => steps(pointer)[0] ?? '') };
    },
    mayDeny(facts) {
      const denies = possible(facts).some(({ effect }) => effect === 'deny' || effect === 'reroute');
      return denies || permitsByItem(facts);
    },
    decide: (facts, item) => decideItem(facts, item),
    stored: (facts, item) => stored(item, decideItem(facts, item)),
    answered(facts, item) {
      const decision = decideItem(facts, item);
      const { remove, pseudonymise } = decision;
      const kept = stored(item, decision);
      if (kept === undefined || pseudonymise.length === 0) return kept;
      return complete(redact(item, { ...decision, remove: [...remove, ...pseudonymise], pseudonymise: [] }));
    },
    visible(facts, item) {
      const decision = decideItem(facts, item);
      if (decision.effect === 'deny') return undefined;
      return decision.effect === 'redact' ? redact(item, decision) : item;
    },
    exposureBytes(facts, item, refused = false) {
      if (enforcementNode !== service.node) return {};
      const decision = decideItem(facts, item);
      const withheld = refused || stored(item, decision) === undefined ? ('everything' as const) : hidden(decision);
      const request = { ...facts, categories: [], payload: payloadOf(item), fieldCategories };
      return exposureBytes(request, [{ withheld, permittedCopies: [] }]);
    },
  };
}

/** No item is without its id: a redaction of it refuses the item. */
function denyingWithoutId(rule: Rule): Rule {
  const isId = (pointer: string): boolean => pointer === '/id';
  const takesId = rule.effect === 'redact' && (rule.remove.some(isId) || rule.pseudonymise.some(isId));
  return takesId ? { ...rule, effect: 'deny', remove: [], pseudonymise: [] } : rule;
}

/** Whether a condition depends on the payload, or on the request as a whole. */
function asksPayload(condition: Condition, named: Rules['conditions']): boolean {
  if ('all' in condition) return condition.all.some((part) => asksPayload(part, named));
  if ('any' in condition) return condition.any.some((part) => asksPayload(part, named));
  if ('not' in condition) return asksPayload(condition.not, named);
  if ('condition' in condition) {
    const referred = named[condition.condition];
    return referred !== undefined && asksPayload(referred, named);
  }
  const { value } = condition;
  const other =
    typeof value === 'object' && value !== null && 'fact' in value
      ? (value as { fact: string; path?: string })
      : undefined;
  return [condition, other].some(
    (one) => one?.fact === 'request' && /^\$?(?:$|\.payload|\[["']payload)/.test(one.path ?? ''),
  );
}

/** RFC 6901, section 4. */
function steps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A copy with the value at the steps pseudonymised or, without a key, removed. Unknown steps change nothing. */
function changed(value: unknown, [step, ...rest]: readonly string[], key: string | undefined): unknown {
  if (step === undefined || typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return value;
  const member = (value as Record<string, unknown>)[step];
  const replaced =
    rest.length > 0
      ? changed(member, rest, key)
      : key !== undefined
        ? createHmac('sha256', key).update(JSON.stringify(member)).digest('hex')
        : undefined;
  if (Array.isArray(value)) {
    const list = [...value];
    if (replaced === undefined) list.splice(Number(step), 1);
    else list[Number(step)] = replaced;
    return list;
  }
  const { [step]: _, ...others } = value as Record<string, unknown>;
  return replaced === undefined ? others : { ...others, [step]: replaced };
}

/** Whether the customer of an item, or the article or quantity of one of its lines, is missing. */
function lacksParts({ customer, lines = [] }: ItemLike): boolean {
  if (typeof customer !== 'string') return true;
  return (
    Array.isArray(lines) &&
    lines.map(asRecord).some(({ sku, quantity }) => {
      return typeof sku !== 'string' || typeof quantity !== 'number';
    })
  );
}

function complete(item: ItemLike): ItemLike {
  const fields = { ...item, ...filled(blanks, item) };
  const lines = (fields.lines as unknown[]).map((line) => filled(blankLine, asRecord(line)));
  const address = filled(blankAddress, asRecord(item.address));
  // A pseudonym is longer than a postcode and than the two letters of a country may be.
  if (String(address.postcode).length > 32) address.postcode = '';
  if (String(address.country).length !== 2) address.country = '';
  return { ...fields, lines, address };
}

function filled(
  blank: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const isSame = (a: unknown, b: unknown): boolean =>
    typeof a === typeof b && Array.isArray(a) === Array.isArray(b) && b !== null;
  return Object.fromEntries(
    Object.entries(blank).map(([name, empty]) => [name, isSame(empty, values[name]) ? values[name] : empty]),
  );
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
