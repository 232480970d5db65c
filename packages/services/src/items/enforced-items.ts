/**
 * The items of a service at its enforcement point: every verb is decided before data passes. A write stores only
 * permitted data. A read omits denied items from lists, and removes or pseudonymises withheld members.
 */
import { randomUUID } from 'node:crypto';
import { type Decision, enforcedItemsPath, type Item, type ItemDecision } from '@topo-bench/core';
import type { Effect } from '@topo-bench/core/schema/rules';
import { addExposure, redactPayload } from '@topo-bench/flow';
import type { ItemStats } from '@topo-bench/stores';
import type { Call } from '../http/http-port.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { type CallFacts, readCallFacts } from './call-facts.ts';
import { EnforcedAnswers } from './enforced-answers.ts';
import type { ItemGuard } from './item-guard.ts';
import { redactedItem } from './redacted-item.ts';
import type { CursorSeal } from './sealed-cursor.ts';
import type { StoreCalls } from './store-calls.ts';
import { filterOnWithheld, visibleStats } from './withheld-fields.ts';

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
    const answer = await this.options.calls.send('GET', itemPath(call.parameter));
    if (answer.status !== 200) {
      this.answers.pass(call, answer, []);
      return;
    }
    const item = JSON.parse(answer.text) as Item;
    const decision = await this.decideItem(facts, item);
    if (decision.effect === 'deny') this.answers.refuse(call, decision);
    else this.answers.send(call, 200, this.visible(item, decision), [decision]);
  }

  async query(call: Call): Promise<void> {
    const { guard, calls, cursors } = this.options;
    const facts = readCallFacts(call.headers);
    const query = { ...call.query } as Record<string, string | number>;
    if (query.after !== undefined) query.after = this.openCursor(String(query.after));
    const permitted = await this.permitCall(call, facts);
    if (!permitted) return;
    // A filter on a withheld field would disclose the field.
    const hidden = filterOnWithheld(query, guard.withholdings(permitted.decision));
    if (hidden) {
      this.answers.refuse(
        call,
        { effect: 'deny', rule: hidden.rule },
        `a filter on the withheld field ${hidden.field}`,
      );
      return;
    }
    const answer = await calls.send('GET', `/items?${new URLSearchParams(query as Record<string, string>)}`);
    if (answer.status !== 200) {
      this.answers.pass(call, answer, []);
      return;
    }
    const page = JSON.parse(answer.text) as { items: Item[]; next: string | null };
    const decisions: ItemDecision[] = [];
    const items: object[] = [];
    for (const item of page.items) {
      const decision = await this.decideItem(facts, item);
      decisions.push(decision);
      if (decision.effect !== 'deny') items.push(this.visible(item, decision));
    }
    this.answers.send(call, 200, { items, next: page.next === null ? null : cursors.seal(page.next) }, decisions);
  }

  async stats(call: Call): Promise<void> {
    const { guard, calls } = this.options;
    const facts = readCallFacts(call.headers);
    const permitted = await this.permitCall(call, facts);
    if (!permitted) return;
    const { decision } = permitted;
    if (!decision || guard.readsItems) {
      this.answers.refuse(call, { effect: 'deny' }, 'statistics of all items, since rules decide item by item');
      return;
    }
    const answer = await calls.send('GET', '/items/stats');
    if (answer.status === 200)
      this.answers.send(call, 200, visibleStats(JSON.parse(answer.text) as ItemStats, decision), [decision]);
    else this.answers.pass(call, answer, [decision]);
  }

  async delete(call: Call): Promise<void> {
    const { guard, calls } = this.options;
    const facts = readCallFacts(call.headers);
    const permitted = await this.permitCall(call, facts);
    if (!permitted) return;
    const path = itemPath(call.parameter);
    let { decision } = permitted;
    if (!decision || guard.readsItems) {
      const found = await calls.send('GET', path);
      if (found.status !== 200) {
        this.answers.pass(call, found, []);
        return;
      }
      decision = await this.decideItem(facts, JSON.parse(found.text) as Item);
      if (decision.effect === 'deny') {
        this.answers.refuse(call, decision);
        return;
      }
    }
    this.answers.pass(call, await calls.send('DELETE', path), [decision]);
  }

  private async write(call: Call, facts: CallFacts, item: Item, method: 'POST' | 'PUT', path: string): Promise<void> {
    const { guard, calls, service, pseudonymKey } = this.options;
    const { id, ...payload } = item;
    const decision = await guard.decide(facts, payload);
    const { effect, rule, remove, pseudonymise } = decision;
    const kept =
      effect === 'redact' ? redactedItem(item, redactPayload(payload, { remove, pseudonymise }, pseudonymKey)) : item;
    const exposureBytes: Record<string, number> = {};
    // An item cannot be stored without its status and its creation time.
    if (effect === 'deny' || !kept) {
      this.expose(exposureBytes, payload, 'everything');
      this.answers.refuse(call, { effect: 'deny', rule }, 'to keep this item', exposureBytes);
      return;
    }
    this.expose(exposureBytes, payload, [...remove, ...pseudonymise]);
    const answer = await calls.send(method, path, kept);
    const location = answer.status === 201 ? { location: `${enforcedItemsPath(service)}/${id}` } : {};
    this.answers.pass(call, answer, [decision], exposureBytes, location);
  }

  /**
   * Refuses a call that is denied by its facts alone.
   * @returns undefined if refused; otherwise a decision, unless items are decided one by one
   */
  private async permitCall(call: Call, facts: CallFacts): Promise<{ decision: Decision | undefined } | undefined> {
    const decision = await this.options.guard.decideCall(facts);
    if (decision?.effect !== 'deny') return { decision };
    this.answers.refuse(call, decision);
    return undefined;
  }

  private async decideItem(facts: CallFacts, { id: _, ...payload }: Item): Promise<Decision> {
    return this.options.guard.decide(facts, payload);
  }

  private visible({ id, ...payload }: Item, { effect, remove, pseudonymise }: Decision): object {
    if (effect !== 'redact') return { id, ...payload };
    return { id, ...redactPayload(payload, { remove, pseudonymise }, this.options.pseudonymKey) };
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
