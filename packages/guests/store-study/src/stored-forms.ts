/** What a store may have after a repetition: the seeded items, and what rules leave of the written ones. */
import type { ItemLike, ItemOracle } from '@topo-bench/oracle/item-calls';
import { itemId, type StoreRequest, type StoreWorkload, seededItem, storeRequests } from '@topo-bench/workload';

export interface StoredFormsOptions {
  oracle: ItemOracle;
  workload: StoreWorkload;
  seed: number;
  repetition: number;
  /** Requests that the warm-up may have sent. */
  warmUpRequests: number;
  /** Indexes of the repetition that were sent. */
  sent: Iterable<number>;
}

/** Every version of an item that the store may have during a repetition. */
export class StoredForms {
  /** Requests that wrote an item, by its id. */
  readonly #writes = new Map<string, StoreRequest[]>();
  readonly #forms = new Map<string, ItemLike[]>();
  /** Ids of seeded rows by customer and status. */
  #rows: Map<string, string[]> | undefined;

  constructor(private readonly options: StoredFormsOptions) {
    const { workload, seed, repetition, warmUpRequests, sent } = options;
    const note = (request: StoreRequest): void => {
      if (request.body === undefined) return;
      const { id } = JSON.parse(request.body) as ItemLike;
      this.#writes.set(id, [...(this.#writes.get(id) ?? []), request]);
    };
    const warmUp = storeRequests(workload, seed, 0);
    for (let index = 0; index < warmUpRequests; index++) note(warmUp(index));
    const measured = storeRequests(workload, seed, repetition);
    for (const index of sent) note(measured(index));
  }

  of(id: string): ItemLike[] {
    const known = this.#forms.get(id);
    if (known) return known;
    const { oracle, workload } = this.options;
    const { rows, seed } = workload.dataset;
    const number = Number(id.slice(id.lastIndexOf('-') + 1));
    const seeded = number < rows && itemId(number) === id ? [{ ...seededItem(seed, number, rows) }] : [];
    const forms: ItemLike[] = [...seeded];
    const isStored = ({ facts, body = '' }: StoreRequest): boolean => {
      const item = JSON.parse(body) as ItemLike;
      const left = oracle.enforced ? oracle.stored(facts, item) : item;
      // A write that the caller may not make in place of any form changes nothing, until another form is there.
      const mayReplace = forms.length === 0 || forms.some((form) => oracle.visible(facts, form) !== undefined);
      if (left === undefined || (oracle.enforced && !mayReplace)) return false;
      forms.push(left);
      return true;
    };
    let writes = this.#writes.get(id) ?? [];
    for (let before = -1; before !== writes.length; ) {
      before = writes.length;
      writes = writes.filter((request) => !isStored(request));
    }
    this.#forms.set(id, forms);
    return forms;
  }

  /** Seeded rows that no request wrote: of a customer and status, or all. */
  untouched(customer: string | undefined, status: string | undefined): ItemLike[] {
    this.#rows ??= this.#rowsByFilter();
    const ids =
      customer === undefined || status === undefined
        ? [...this.#rows.values()].flat()
        : (this.#rows.get(`${customer} ${status}`) ?? []);
    return ids.filter((id) => !this.#writes.has(id)).flatMap((id) => this.of(id));
  }

  #rowsByFilter(): Map<string, string[]> {
    const { rows, seed } = this.options.workload.dataset;
    const found = new Map<string, string[]>();
    for (let number = 0; number < rows; number++) {
      const { id, customer, status } = seededItem(seed, number, rows);
      const key = `${customer} ${status}`;
      const ids = found.get(key);
      if (ids) ids.push(id);
      else found.set(key, [id]);
    }
    return found;
  }
}
