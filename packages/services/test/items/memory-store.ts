/** A store in memory: the contract of the port in its simplest form. */
import type { Item, ItemStatus } from '@topo-bench/core';
import type { ItemQuery, ItemStats, Store } from '@topo-bench/stores';

export class MemoryStore implements Store {
  readonly load = { active: 0, waiting: 0 };
  private items = new Map<string, Item>();

  /** Replaces all items. */
  fill(items: readonly Item[]): void {
    this.items = new Map(items.map((item) => [item.id, item]));
  }

  async create(item: Item): Promise<boolean> {
    return !this.items.has(item.id) && this.put(item);
  }

  async get(id: string): Promise<Item | undefined> {
    return this.items.get(id);
  }

  async query({ customer, status, from, sku, limit, after }: ItemQuery): Promise<Item[]> {
    const position = ({ createdAt, id }: Pick<Item, 'createdAt' | 'id'>): string => `${createdAt} ${id}`;
    return [...this.items.values()]
      .filter((item) => customer === undefined || item.customer === customer)
      .filter((item) => status === undefined || item.status === status)
      .filter((item) => from === undefined || item.createdAt >= from)
      .filter((item) => sku === undefined || item.lines.some((line) => line.sku === sku))
      .filter((item) => after === undefined || position(item) > position(after))
      .sort((a, b) => (position(a) < position(b) ? -1 : 1))
      .slice(0, limit);
  }

  async put(item: Item): Promise<boolean> {
    const isNew = !this.items.has(item.id);
    this.items.set(item.id, item);
    return isNew;
  }

  async delete(id: string): Promise<boolean> {
    return this.items.delete(id);
  }

  async stats(): Promise<ItemStats> {
    const all = [...this.items.values()];
    const of = (items: Item[]): { items: number; totalCents: number } => ({
      items: items.length,
      totalCents: items.reduce((sum, { totalCents }) => sum + totalCents, 0),
    });
    const statuses = [...new Set(all.map(({ status }) => status))];
    const byStatus = statuses.map((status) => [status, of(all.filter((item) => item.status === status))]);
    return { ...of(all), byStatus: Object.fromEntries(byStatus) as Record<ItemStatus, ReturnType<typeof of>> };
  }

  async server(): Promise<{ name: string; version: string; settings: Record<string, string> }> {
    return { name: 'memory', version: '1', settings: {} };
  }

  async close(): Promise<void> {}
}
