/** A recorded answer to a call of items: the report of the enforcement point, and the body. */
import { type ItemEnforcement, readEnforcement } from '@topo-bench/core';
import type { LoadResult } from '@topo-bench/loadgen';

export interface ItemAnswer {
  status: number;
  /** Undefined without enforcement, and for calls that failed before a decision. */
  enforcement: ItemEnforcement | undefined;
  body: unknown;
}

const utf8 = new TextDecoder();

/** @returns undefined for a row without an answer, or if answers are not kept */
export function itemAnswer(load: LoadResult, row: number): ItemAnswer | undefined {
  const bytes = load.body(row);
  if (!bytes) return undefined;
  const text = utf8.decode(bytes);
  const end = text.indexOf('\n');
  const body = text.slice(end + 1);
  return {
    status: load.samples.status[row] as number,
    enforcement: readEnforcement(text.slice(0, Math.max(0, end))),
    body: body === '' ? undefined : parsed(body),
  };
}

/** Text that is no JSON stays as it is. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
