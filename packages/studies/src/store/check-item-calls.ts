/**
 * Compares every call of a repetition under enforcement with the oracle: refusals with their rules, the writes that the
 * service received, and every item that a reader received, member by member.
 *
 * Reads and writes overlap, so a read may return the item of any write of the repetition or its warm-up.
 */
import { isDeepStrictEqual } from 'node:util';
import { deliveredDigests, type ItemEnforcement } from '@topo-bench/core';
import type { ItemLike } from '@topo-bench/oracle/item-calls';
import { type StoreRequest, storeRequests } from '@topo-bench/workload';
import type { ItemAnswer } from './item-answer.ts';
import { StoredForms, type StoredFormsOptions } from './stored-forms.ts';

export interface ItemCallChecks extends StoredFormsOptions {
  digestKey: string;
}

export interface CallVerdict {
  wrong: number;
  /** The first wrong answers, in words. */
  examples: string[];
  /** A call of the check without a usable answer, in words. */
  unanswered?: string;
}

const maxExamples = 3;

/** @returns undefined for a right answer, else the fault */
export function itemCallCheck(checks: ItemCallChecks): (index: number, answer: ItemAnswer) => string | undefined {
  const { oracle, workload, seed, repetition, digestKey } = checks;
  const generate = storeRequests(workload, seed, repetition);
  const forms = new StoredForms(checks);
  return (index, { status, enforcement, body }) => {
    const request = generate(index);
    if (!enforcement) return status >= 500 ? undefined : `${request.method} was answered ${status} without a decision`;
    if (request.body !== undefined) return checkWrite(request, status, enforcement, body);
    // A read moves nothing to the node of the store.
    if (!isDeepStrictEqual(enforcement.exposureBytes, {}))
      return `a read exposed ${text(enforcement.exposureBytes)} instead of {}`;
    return request.operation === 'get'
      ? checkGet(request, status, enforcement, body)
      : checkQuery(request, status, enforcement, body);
  };

  function checkWrite(
    { facts, body = '' }: StoreRequest,
    status: number,
    { decisions, exposureBytes, delivered }: ItemEnforcement,
    answer: unknown,
  ) {
    const item = JSON.parse(body) as ItemLike;
    const kept = oracle.stored(facts, item);
    const { effect, rule } = oracle.decide(facts, item);
    const wanted = [{ effect: kept ? effect : 'deny', ...(rule !== undefined && { rule }), count: 1 }];
    if (!isDeepStrictEqual(decisions, wanted))
      return `a write was decided ${text(decisions)} instead of ${text(wanted)}`;
    const exposed = oracle.exposureBytes(facts, item);
    if (!isDeepStrictEqual(exposureBytes, exposed))
      return `a write exposed ${text(exposureBytes)} instead of ${text(exposed)}`;
    if ((status === 451) !== (kept === undefined))
      return `a write was answered ${status} under the decision ${text(wanted)}`;
    if (!kept || status > 201) return undefined;
    const { id: _, ...payload } = kept;
    const digests = deliveredDigests(payload, digestKey);
    if (text(sorted(delivered ?? {})) !== text(sorted(digests)))
      return `the service did not receive of ${kept.id} what rules leave of it`;
    return isDeepStrictEqual(answer, kept)
      ? undefined
      : `the answer to a write of ${kept.id} is not what rules leave of it`;
  }

  function checkGet({ facts, path }: StoreRequest, status: number, enforcement: ItemEnforcement, body: unknown) {
    const { decisions } = enforcement;
    const right = oracle.call(facts);
    if (right.refused) return refusalFault(status, enforcement, right.rule);
    const id = path.slice(path.lastIndexOf('/') + 1);
    for (const form of forms.of(id)) {
      const visible = oracle.visible(facts, form);
      const { effect, rule } = oracle.decide(facts, form);
      const wanted = [{ effect, ...(rule !== undefined && { rule }), count: 1 }];
      if (!isDeepStrictEqual(decisions, wanted)) continue;
      if (visible === undefined ? status === 451 : isDeepStrictEqual(body, visible)) return undefined;
    }
    return status >= 500
      ? undefined
      : `a reader of ${id} got what rules do not leave of it (${status}, ${text(decisions)})`;
  }

  function checkQuery({ facts, path }: StoreRequest, status: number, enforcement: ItemEnforcement, body: unknown) {
    const { decisions } = enforcement;
    const parameters = new URLSearchParams(path.slice(path.indexOf('?')));
    const filters = ['customer', 'status'];
    const right = [oracle.call(facts), oracle.filter(facts, filters)].find(({ refused }) => refused);
    if (right?.refused) return refusalFault(status, enforcement, right.rule);
    if (status >= 500) return undefined;
    const { items = [] } = (body ?? {}) as { items?: ItemLike[] };
    const seen = new Map<string, number>();
    for (const item of items) {
      const form = forms.of(item.id).find((one) => {
        return (
          filters.every((field) => one[field] === parameters.get(field)) &&
          isDeepStrictEqual(oracle.visible(facts, one), item)
        );
      });
      if (!form) return `a list contains ${item.id} in a form that rules do not leave of it`;
      const { effect, rule } = oracle.decide(facts, form);
      add(seen, `${effect} ${rule ?? ''}`);
    }
    const told = decisions
      .filter(({ effect }) => effect !== 'deny')
      .map(({ effect, rule, count }) => [`${effect} ${rule ?? ''}`, count]);
    if (text(sorted(Object.fromEntries(told))) !== text(sorted(Object.fromEntries(seen))))
      return 'a list was decided otherwise than its items';
    const read = decisions.reduce((sum, { count }) => sum + count, 0);
    if (read >= workload.limit) return undefined;
    // The page has all matches: unwritten rows must be in it, unless a rule denies them.
    const untouched = forms.untouched(parameters.get('customer') ?? '', parameters.get('status') ?? '');
    const there = new Set(items.map(({ id }) => id));
    const [allowed, denied] = [
      untouched.filter((one) => oracle.visible(facts, one)),
      untouched.filter((one) => !oracle.visible(facts, one)),
    ];
    const missing = allowed.find(({ id }) => !there.has(id));
    if (missing) return `a list lacks ${missing.id}, which no rule denies`;
    const denials = decisions.reduce((sum, { effect, count }) => sum + (effect === 'deny' ? count : 0), 0);
    return denials < denied.length ? `a list denied ${denials} items instead of ${denied.length}` : undefined;
  }
}

/** @returns undefined for the right refusal of a call that has no body */
export function refusalFault(
  status: number,
  { decisions, exposureBytes }: ItemEnforcement,
  rule: string | undefined,
): string | undefined {
  const wanted = [{ effect: 'deny', ...(rule !== undefined && { rule }), count: 1 }];
  if (status !== 451 || !isDeepStrictEqual(decisions, wanted))
    return `a call was answered ${status} with ${text(decisions)} instead of being refused by ${rule ?? 'the default'}`;
  return isDeepStrictEqual(exposureBytes, {}) ? undefined : `a refusal exposed ${text(exposureBytes)} instead of {}`;
}

/** Counts wrong answers and keeps the first few. */
export function countWrong(findings: Iterable<string | undefined>): CallVerdict {
  const verdict: CallVerdict = { wrong: 0, examples: [] };
  for (const finding of findings) {
    if (finding === undefined) continue;
    verdict.wrong++;
    if (verdict.examples.length < maxExamples) verdict.examples.push(finding);
  }
  return verdict;
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function sorted(record: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}

function text(value: unknown): string {
  return JSON.stringify(value);
}
