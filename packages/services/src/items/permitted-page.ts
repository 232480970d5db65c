/**
 * A page of a list as a caller may see it. It reads on in the store until it has as many permitted items as the caller
 * wants. So neither the number of items nor the end of a list depends on denied items.
 */
import type { Decision, Item } from '@topo-bench/core';
import type { HopAnswer } from '../hops/hop-call.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { toCursor } from './cursor.ts';
import { maxPageItems } from './item-schemas.ts';

export interface PermittedPage {
  items: { item: Item; decision: Decision }[];
  /** Position of the last item; null at the end of the list. */
  next: string | null;
}

export interface PageReads {
  /** Query parameters for the store, with the cursor of the store. */
  query: Readonly<Record<string, string | number>>;
  read(query: Record<string, string>): Promise<HopAnswer>;
  decide(item: Item): Promise<Decision>;
  /** Whether an item of the page may be denied. */
  mayDeny: boolean;
  /** Called for each denied item. */
  onDenied(): void;
  /** Max time of all reads. */
  timeoutMs: number;
}

/** Items of the first read beyond the wanted ones: so many denied items do not show as the time of a second read. */
const readAhead = 100;

/**
 * @returns the answer of the store instead when it is no page
 * @throws HttpProblem 504 when the store has so many denied items that the time is not enough
 */
export async function permittedPage(reads: PageReads): Promise<PermittedPage | HopAnswer> {
  const { query, timeoutMs } = reads;
  const wanted = Number(query.limit);
  const items: PermittedPage['items'] = [];
  const endMs = performance.now() + timeoutMs;
  let { after } = query;
  const firstSize = Math.min(wanted + (reads.mayDeny ? readAhead : 0), maxPageItems);
  for (let size = firstSize; ; size = Math.min(size * 2, maxPageItems)) {
    const parameters = { ...query, limit: size, ...(after !== undefined && { after }) };
    const answer = await reads.read(parameters as unknown as Record<string, string>);
    if (answer.status !== 200) return answer;
    const page = JSON.parse(answer.text) as { items: Item[]; next: string | null };
    for (const item of page.items) {
      const decision = await reads.decide(item);
      if (decision.effect === 'deny') {
        reads.onDenied();
        continue;
      }
      items.push({ item, decision });
      if (items.length === wanted) return { items, next: toCursor(item) };
    }
    if (page.next === null) return { items, next: null };
    if (performance.now() > endMs) throw new HttpProblem(504, 'deadline', `no page was ready within ${timeoutMs} ms`);
    after = page.next;
  }
}
