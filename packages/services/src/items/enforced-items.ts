/**
 * The items of a service at its enforcement point: every verb is decided before data passes. A write stores only
 * permitted data, and replaces no denied item. A read omits denied items from lists, and removes or pseudonymises
 * withheld members. No answer depends on the contents of denied items (docs/denied-items.md).
 */
import { randomUUID } from 'node:crypto';
import { type Decision, enforcedItemsPath, type Item } from '@topo-bench/core';
import { pseudonym } from '@topo-bench/core/keyed-hashing';
import type { Effect } from '@topo-bench/core/schema/rules';
import { addExposure, type Redaction, redactPayload } from '@topo-bench/flow';
import type { ItemStats } from '@topo-bench/stores';
import type { HopAnswer } from '../hops/hop-call.ts';
import type { Call } from '../http/http-port.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { type CallFacts, readCallFacts } from './call-facts.ts';
import { EnforcedAnswers } from './enforced-answers.ts';
import type { CallDecision, ItemGuard } from './item-guard.ts';
import { permittedPage } from './permitted-page.ts';
import { lostField, redactedItem } from './redacted-item.ts';
import type { CursorSeal } from './sealed-cursor.ts';
import type { StoreCalls } from './store-calls.ts';
import { listByWithheld, visibleStats } from './withheld-fields.ts';

export interface EnforcedItemsOptions {
  service: string;
  guard: ItemGuard;
  calls: StoreCalls;
  cursors: CursorSeal;
  pseudonymKey: string;
  categories: Readonly<Record<string, string>>;
  /** Whether this enforcement point is on the node of the store. */
  onNodeOfStore: boolean;
  /** Called for every decision. */
  count(effect: Effect): void;
}

export class EnforcedItems {
  private readonly answers: EnforcedAnswers;

  constructor(private readonly options: EnforcedItemsOptions) {
    this.answers = new EnforcedAnswers((effect) => options.count(effect));
  }

  async create(call: Call): Promise<void> {
    const facts = readCallFacts(call.headers);
    const { id = randomUUID(), createdAt = new Date().toISOString(), ...rest } = call.body as Partial<Item>;
    await this.write(call, facts, { id, createdAt, ...rest } as Item, 'POST', '/items');
  }

  async put(call: Call): Promise<void> {
    const facts = readCallFacts(call.headers);
    const { id: stated = call.parameter, ...rest } = call.body as Item;
    if (stated !== call.parameter) {
      const problem = `id: must be that of the path, ${call.parameter}, got ${stated}`;
      throw new HttpProblem(400, 'invalid', 'invalid request', [problem]);
    }
    await this.write(call, facts, { ...rest, id: call.parameter }, 'PUT', itemPath(call.parameter));
  }

  async get(call: Call): Promise<void> {
    const facts = readCallFacts(call.headers);
    const permitted = await this.permitCall(call, facts);
    if (!permitted) return;
    const found = await this.find(call, facts, permitted);
    if (!found) return;
    this.answers.send(call, 200, this.visible(found.item, found.decision), [found.decision]);
  }

  async query(call: Call): Promise<void> {
    const { calls, cursors, count } = this.options;
    const facts = readCallFacts(call.headers);
    const query = { ...call.query } as Record<string, string | number>;
    if (query.after !== undefined) query.after = this.openCursor(String(query.after));
    const permitted = await this.permitCall(call, facts);
    if (!permitted) return;
    // A filter on a withheld field would disclose the field, and so would the order of one's own items among others.
    const hidden = listByWithheld(query, permitted.withholdings);
    if (hidden) {
      this.answers.refuse(call, { effect: 'deny', rule: hidden.rule }, hidden.what);
      return;
    }
    const page = await permittedPage({
      query,
      read: (parameters) => calls.send('GET', `/items?${new URLSearchParams(parameters)}`),
      decide: (item) => this.decideItem(facts, item),
      mayDeny: permitted.mayDeny,
      // Only the counters of this role contain denied items: the answer would disclose that they match.
      onDenied: () => count('deny'),
      timeoutMs: calls.timeoutMs,
    });
    if ('status' in page) {
      this.answers.pass(call, page, []);
      return;
    }
    const items = page.items.map(({ item, decision }) => this.visible(item, decision));
    const next = page.next === null ? null : cursors.seal(page.next);
    this.answers.send(
      call,
      200,
      { items, next },
      page.items.map(({ decision }) => decision),
    );
  }

  async stats(call: Call): Promise<void> {
    const facts = readCallFacts(call.headers);
    const permitted = await this.permitCall(call, facts);
    if (!permitted) return;
    const { decision, readsItems } = permitted;
    if (readsItems) {
      this.answers.refuse(call, { effect: 'deny' }, 'statistics of all items, since rules decide item by item');
      return;
    }
    const answer = await this.options.calls.send('GET', '/items/stats');
    if (answer.status === 200)
      this.answers.send(call, 200, visibleStats(JSON.parse(answer.text) as ItemStats, decision), [decision]);
    else this.answers.pass(call, answer, [decision]);
  }

  async delete(call: Call): Promise<void> {
    const facts = readCallFacts(call.headers);
    const permitted = await this.permitCall(call, facts);
    if (!permitted) return;
    let { decision } = permitted;
    if (permitted.readsItems) {
      const found = await this.find(call, facts, permitted);
      if (!found) return;
      ({ decision } = found);
    }
    const answer = await this.options.calls.send('DELETE', itemPath(call.parameter));
    // Another caller was faster.
    if (answer.status === 404 && permitted.mayDeny) this.answers.withhold(call);
    else this.answers.pass(call, answer, [decision]);
  }

  /** Reads and decides the item of the path. Answers the call when there is none that the caller may have. */
  private async find(
    call: Call,
    facts: CallFacts,
    { mayDeny }: CallDecision,
  ): Promise<{ item: Item; decision: Decision } | undefined> {
    const answer = await this.options.calls.send('GET', itemPath(call.parameter));
    if (answer.status === 200) {
      const item = JSON.parse(answer.text) as Item;
      const decision = await this.decideItem(facts, item);
      if (decision.effect !== 'deny') return { item, decision };
    }
    if (answer.status === 200 || (answer.status === 404 && mayDeny)) this.answers.withhold(call);
    else this.answers.pass(call, answer, []);
    return undefined;
  }

  private async write(call: Call, facts: CallFacts, item: Item, method: 'POST' | 'PUT', path: string): Promise<void> {
    const { guard, calls, service } = this.options;
    const { id, ...payload } = item;
    const decision = await guard.decide(facts, item);
    const { effect, rule, remove, pseudonymise } = decision;
    const redacted = effect === 'redact' ? this.redacted(payload, decision) : undefined;
    const lost = redacted && lostField(item, redacted);
    const exposureBytes: Record<string, number> = {};
    if (effect === 'deny' || lost !== undefined) {
      const what = lost === undefined ? 'to keep this item' : `to keep this item without its ${lost}`;
      this.expose(exposureBytes, payload, 'everything');
      this.answers.refuse(call, { effect: 'deny', rule }, what, exposureBytes);
      return;
    }
    const kept = redacted ? redactedItem(item, redacted) : item;
    // The new item is decided first: its refusal does not depend on the stored one.
    const stored = method === 'PUT' ? await this.storedBefore(facts, path) : 'free';
    if (stored === 'denied') {
      this.expose(exposureBytes, payload, 'everything');
      this.answers.protect(call, exposureBytes);
      return;
    }
    this.expose(exposureBytes, payload, [...remove, ...pseudonymise]);
    const answer = stored === 'free' ? await calls.send(method, path, kept) : stored;
    const location = answer.status === 201 ? { location: `${enforcedItemsPath(service)}/${id}` } : {};
    // The pseudonym of a value that the caller chose would show which values of other items are the same.
    const masks = effect === 'redact' && pseudonymise.length > 0 && answer.status < 300;
    const blank = { remove: [...remove, ...pseudonymise], pseudonymise: [] };
    const text = masks ? JSON.stringify(redactedItem(item, this.redacted(payload, blank))) : answer.text;
    this.answers.pass(call, { ...answer, text }, [decision], exposureBytes, location);
  }

  /**
   * Whether the item that a write would replace is denied to the caller. Reads the store only if one may be.
   * @returns the answer of a store that could not be read: then nothing may be replaced
   */
  private async storedBefore(facts: CallFacts, path: string): Promise<'free' | 'denied' | HopAnswer> {
    const { guard, calls } = this.options;
    if (!guard.hasItemRules || !(await guard.decideCall(facts)).mayDeny) return 'free';
    const answer = await calls.send('GET', path);
    if (answer.status === 404) return 'free';
    if (answer.status !== 200) return answer;
    const { effect } = await this.decideItem(facts, JSON.parse(answer.text) as Item);
    return effect === 'deny' ? 'denied' : 'free';
  }

  /**
   * Refuses a call that is denied by its facts alone.
   * @returns undefined if refused
   */
  private async permitCall(call: Call, facts: CallFacts): Promise<CallDecision | undefined> {
    const permitted = await this.options.guard.decideCall(facts);
    if (!permitted.refused) return permitted;
    this.answers.refuse(call, permitted.decision);
    return undefined;
  }

  private async decideItem(facts: CallFacts, item: Item): Promise<Decision> {
    return this.options.guard.decide(facts, item);
  }

  private visible({ id, ...payload }: Item, decision: Decision): object {
    if (decision.effect !== 'redact') return { id, ...payload };
    return { id, ...this.redacted(payload, decision) };
  }

  private redacted(payload: Record<string, unknown>, { remove, pseudonymise }: Redaction): Record<string, unknown> {
    return redactPayload(payload, { remove, pseudonymise }, (value) => pseudonym(value, this.options.pseudonymKey));
  }

  private openCursor(text: string): string {
    const cursor = this.options.cursors.open(text);
    if (cursor !== undefined) return cursor;
    const problem = 'after: expected the `next` of an answer';
    throw new HttpProblem(400, 'invalid', 'invalid request', [problem]);
  }

  private expose(
    bytes: Record<string, number>,
    payload: Record<string, unknown>,
    withheld: 'everything' | string[],
  ): void {
    if (this.options.onNodeOfStore) addExposure(bytes, payload, this.options.categories, withheld, []);
  }
}

function itemPath(id: string): string {
  return `/items/${encodeURIComponent(id)}`;
}
