/**
 * Compares every call of a repetition under enforcement with the oracle: refusals with their rules, the writes that the
 * service received, and every item that a reader received, member by member.
 *
 * Reads and writes overlap, so a read may return the item of any write of the repetition or its warm-up.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ItemEnforcement } from '@topo-bench/core';
import { deliveredDigests } from '@topo-bench/core/delivered-digest';
import type { ItemFacts, ItemLike, ItemOracle } from '@topo-bench/oracle/item-calls';
import { type StoreRequest, storeRequests } from '@topo-bench/workload';
import { listFault } from './check-lists.ts';
import type { ItemAnswer } from './item-answer.ts';
import { refusalFault } from './refusals.ts';
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
      : listFault(checks, forms, request, { status, enforcement, body });
  };

  function checkWrite(
    { method, facts, body = '' }: StoreRequest,
    status: number,
    { decisions, exposureBytes, delivered }: ItemEnforcement,
    answer: unknown,
  ) {
    const item = JSON.parse(body) as ItemLike;
    const kept = oracle.stored(facts, item);
    const { effect, rule } = oracle.decide(facts, item);
    const isReplacement = kept !== undefined && method === 'PUT';
    const replaced = isReplacement ? forms.of(item.id).map((form) => oracle.visible(facts, form)) : [];
    // The item that is there is denied to the caller, so that it stays. The answer names no rule.
    if (status === 451 && replaced.includes(undefined)) {
      const right = {
        decisions: [{ effect: 'deny', count: 1 }],
        exposureBytes: oracle.exposureBytes(facts, item, true),
      };
      const isRight = isDeepStrictEqual({ decisions, exposureBytes }, right);
      return isRight ? undefined : `the refusal to replace ${item.id} was ${text({ decisions, exposureBytes })}`;
    }
    if (status < 400 && replaced.length > 0 && replaced.every((form) => form === undefined))
      return `a write replaced ${item.id}, which is denied to its caller`;
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
    return isDeepStrictEqual(answer, oracle.answered(facts, item))
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
      if (!isDeepStrictEqual(decisions, reportOfItem(oracle, facts, form))) continue;
      if (visible === undefined ? status === 451 : isDeepStrictEqual(body, visible)) return undefined;
    }
    return status >= 500
      ? undefined
      : `a reader of ${id} got what rules do not leave of it (${status}, ${text(decisions)})`;
  }
}

/** The decision about one item as its reader gets it: without the rule of a denial, which would disclose contents. */
export function reportOfItem(oracle: ItemOracle, facts: ItemFacts, item: ItemLike): ItemEnforcement['decisions'] {
  const { effect, rule } = oracle.decide(facts, item);
  return [{ effect, ...(effect !== 'deny' && rule !== undefined && { rule }), count: 1 }];
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

function sorted(record: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}

function text(value: unknown): string {
  return JSON.stringify(value);
}
