/**
 * After the load of a repetition, while nothing else changes the store: lists, statistics and deletions of items
 * through the enforcement point, compared with the oracle. They are no part of the load, so the mix of a workload and
 * its figures stay what they are.
 */
import { isDeepStrictEqual } from 'node:util';
import { enforcementHeader, headers, headersOfFacts, type ItemEnforcement, readEnforcement } from '@topo-bench/core';
import type { ItemFacts, ItemLike, ItemOracle, RightStatistics } from '@topo-bench/oracle/item-calls';
import { itemId, storeRequests } from '@topo-bench/workload';
import { reportOfItem } from './check-item-calls.ts';
import { listFault } from './check-lists.ts';
import { parsed } from './item-answer.ts';
import { refusalFault } from './refusals.ts';
import { StoredForms, type StoredFormsOptions } from './stored-forms.ts';

/** Deletions, with the facts of the first requests of the load. Few, since statistics read the whole store. */
const deletions = 3;
/** Items of a list: enough that some are denied where rules deny items by their contents. */
const listed = 20;
/** Each call: statistics of millions of rows take seconds. The first call without an answer is the last one. */
const defaultTimeoutMs = 60_000;

export interface ClosingCalls {
  /** Address of the items at the enforcement point. */
  url: string;
  clientToken: string;
  stored: StoredFormsOptions;
  /** Whether no write of the load can still be on its way. */
  settled: boolean;
  signal: AbortSignal;
  /** Max time of a call; default: a minute. */
  timeoutMs?: number;
}

export interface ClosingFindings {
  /** Wrong answers, in words. */
  wrong: string[];
  /** The call without a usable answer, in words. It is the last one: the state after it is unknown. */
  unanswered?: string;
}

interface Answer {
  status: number;
  enforcement: ItemEnforcement | undefined;
  body: unknown;
}

/** A closing call that the store or the enforcement point did not answer, which is no decision. */
class Unanswered extends Error {}

type Ask = (method: 'GET' | 'DELETE', path: string, facts: ItemFacts) => Promise<Answer>;

/** Ends at the first call without a usable answer. */
export async function closingFindings(calls: ClosingCalls): Promise<ClosingFindings> {
  const wrong: string[] = [];
  try {
    for await (const finding of findings(calls, asker(calls))) if (finding !== undefined) wrong.push(finding);
  } catch (error) {
    if (error instanceof Unanswered) return { wrong, unanswered: error.message };
    throw error;
  }
  return { wrong };
}

async function* findings({ stored, settled }: ClosingCalls, ask: Ask): AsyncGenerator<string | undefined> {
  const { oracle, workload, seed, repetition } = stored;
  const generate = storeRequests(workload, seed, repetition);
  const forms = new StoredForms(stored);
  for (let at = 0; at < Math.min(deletions, workload.dataset.rows); at++) {
    const { facts } = generate(at);
    const id = itemId(at);
    const path = `?limit=${listed}`;
    const { status, enforcement, body } = await ask('GET', path, facts);
    yield enforcement
      ? listFault(stored, forms, { facts, path }, { status, enforcement, body })
      : `GET of a list was answered ${status} without a decision`;
    const before = await ask('GET', '/stats', facts);
    yield statisticsFault(before, oracle.statistics(facts));
    const deleted = await ask('DELETE', `/${id}`, facts);
    yield deletionFault(oracle, facts, forms.of(id), deleted);
    const read = await ask('GET', `/${id}`, facts);
    if (settled) yield remainderFault(id, deleted, read, oracle.mayDeny(facts));
    const after = await ask('GET', '/stats', facts);
    if (settled) yield changeFault(before, deleted, after);
  }
}

function asker({ url, clientToken, signal, timeoutMs = defaultTimeoutMs }: ClosingCalls): Ask {
  return async (method, path, facts) => {
    const unanswered = (reason: string): Unanswered =>
      new Unanswered(`closing call ${method} ${new URL(url).pathname}${path} has no usable answer: ${reason}`);
    signal.throwIfAborted();
    const inTime = AbortSignal.timeout(timeoutMs);
    let status: number;
    let text: string;
    let report: string | null;
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { [headers.token]: clientToken, ...headersOfFacts(facts) },
        signal: AbortSignal.any([signal, inTime]),
      });
      status = response.status;
      report = response.headers.get(enforcementHeader);
      text = await response.text();
    } catch (error) {
      signal.throwIfAborted();
      const { message, cause } = error as Error;
      const late = `none within ${timeoutMs / 1e3} s`;
      throw unanswered(inTime.aborted ? late : ((cause as Error | undefined)?.message ?? message));
    }
    if (status >= 500) throw unanswered(`status ${status}`);
    return { status, enforcement: readEnforcement(report ?? ''), body: text === '' ? undefined : parsed(text) };
  };
}

/** @param forms every version that the store may have of the item */
function deletionFault(
  oracle: ItemOracle,
  facts: ItemFacts,
  forms: readonly ItemLike[],
  { status, enforcement }: Answer,
): string | undefined {
  if (!enforcement) return `DELETE was answered ${status} without a decision`;
  const call = oracle.call(facts);
  if (call.refused) return refusalFault(status, enforcement, call.rule);
  const isRight = forms.some((form) => {
    const right = { decisions: reportOfItem(oracle, facts, form), exposureBytes: {} };
    const isDenied = oracle.visible(facts, form) === undefined;
    return isDeepStrictEqual(enforcement, right) && status === (isDenied ? 451 : 204);
  });
  return isRight
    ? undefined
    : `a deletion of ${forms[0]?.id} was answered ${status} with ${JSON.stringify(enforcement)}`;
}

/** @param mayDeny whether a missing item must look like a denied one */
function remainderFault(id: string, deleted: Answer, read: Answer, mayDeny: boolean): string | undefined {
  if (deleted.status !== 204) return undefined;
  if (read.status !== (mayDeny ? 451 : 404)) return `${id} was read after its deletion (${read.status})`;
  const decisions = mayDeny ? [{ effect: 'deny', count: 1 }] : [];
  return isDeepStrictEqual(read.enforcement?.decisions, decisions)
    ? undefined
    : `a read of ${id} after its deletion was decided ${JSON.stringify(read.enforcement?.decisions)}`;
}

interface Statistics {
  items?: number;
  byStatus?: Record<string, { items: number }>;
}

function statisticsFault({ status, enforcement, body }: Answer, right: RightStatistics): string | undefined {
  if (!enforcement) return `GET of statistics was answered ${status} without a decision`;
  if (right.refused) return refusalFault(status, enforcement, right.rule);
  const { effect, rule, withheld } = right;
  const wanted = { decisions: [{ effect, ...(rule !== undefined && { rule }), count: 1 }], exposureBytes: {} };
  if (status !== 200 || !isObject(body) || !isDeepStrictEqual(enforcement, wanted))
    return `statistics were answered ${status} with ${JSON.stringify(enforcement)}`;
  const sums = withheld.includes('totalCents') ? [] : ['totalCents'];
  const { byStatus, items } = body as Statistics;
  const members = ['items', ...sums, ...(withheld.includes('status') ? [] : ['byStatus'])];
  const parts = Object.values(byStatus ?? {});
  const isRight = hasExactly(body, members) && parts.every((part) => hasExactly(part, ['items', ...sums]));
  if (!isRight) return `statistics have other members than rules leave: ${JSON.stringify(body).slice(0, 200)}`;
  const counted = parts.reduce((sum, part) => sum + part.items, 0);
  return byStatus && counted !== items ? `statistics count ${items} items, and ${counted} by status` : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function hasExactly(value: unknown, members: readonly string[]): boolean {
  return isDeepStrictEqual(Object.keys(value as object).sort(), members.toSorted());
}

function changeFault(before: Answer, deleted: Answer, after: Answer): string | undefined {
  if ([before, after].some(({ status, body }) => status !== 200 || !isObject(body))) return undefined;
  const [had, has] = [before, after].map(({ body }) => (body as Statistics).items ?? 0) as [number, number];
  const gone = deleted.status === 204 ? 1 : 0;
  return had - has === gone ? undefined : `statistics went from ${had} to ${has} items by ${gone} deletions`;
}
