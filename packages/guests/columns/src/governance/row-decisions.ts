/** Decides the rows of a stream. Rows that agree in every column that the rules read share one decision. */
import type { Decision, RequestFacts } from '@topo-bench/core';
import type { Data, RecordBatch, Schema } from 'apache-arrow';
import { type JsonValue, objectOf, valueReader } from '../table/json-values.ts';
import type { RowFacts, StreamRules } from './stream-rules.ts';

/** Limits of the cached decisions. They bound the memory of a stream, whatever its columns contain. */
const maxCached = 1 << 16;
const maxKeyLength = 256;

export class RowDecisions {
  /** Columns that the rules read. */
  private readonly asked: readonly { name: string; index: number }[];
  private readonly categories: string[];
  private readonly cached = new Map<string, Decision>();

  constructor(
    private readonly schema: Schema,
    private readonly facts: RowFacts,
    private readonly rules: StreamRules,
  ) {
    const { asks } = rules;
    const isAsked = (name: string): boolean => {
      if ((name === facts.origin && asks.origin) || (name === facts.consents && asks.consents)) return true;
      return asks.payload === 'everything' || asks.payload.includes(name);
    };
    this.asked = schema.fields.map(({ name }, index) => ({ name, index })).filter(({ name }) => isAsked(name));
    const categorised = schema.fields.filter(({ name }) => Object.hasOwn(facts.categories, name));
    this.categories = [...new Set(categorised.map(({ name }) => facts.categories[name] as string))];
  }

  /** Who refuses every row, in words, whatever the columns contain; undefined if rows may pass. */
  get refusal(): string | undefined {
    const { rules, facts, schema } = this;
    const names = schema.fields.map(({ name }) => name);
    const has = (column: string | undefined): boolean => column !== undefined && names.includes(column);
    const row = { origin: has(facts.origin), consents: has(facts.consents), payload: names };
    const rule = rules.refusal(this.requestFacts([]), row);
    if (rule !== undefined) return `the rule "${rule}"`;
    return this.asked.length === 0 && refuses(this.decide([])) ? 'the default effect' : undefined;
  }

  /** The decisions of a batch by row. */
  of(batch: RecordBatch): Decision[] {
    const readers = this.asked.map(({ index }) => valueReader(batch.data.children[index] as Data));
    return Array.from({ length: batch.numRows }, (_, row) => this.decide(readers.map((read) => read(row))));
  }

  /** @param values of the asked columns; undefined for null */
  private decide(values: readonly (JsonValue | undefined)[]): Decision {
    // A null is a missing member, unlike the JSON value null of a number that is not finite.
    const key = values.map((value) => (value === undefined ? '-' : JSON.stringify(value))).join();
    const known = this.cached.get(key);
    if (known) return known;
    const decision = this.rules.decide(this.requestFacts(values));
    if (this.cached.size >= maxCached) this.cached.clear();
    if (key.length <= maxKeyLength) this.cached.set(key, decision);
    return decision;
  }

  /** Facts of a row, with only the members that the rules read. */
  private requestFacts(values: readonly (JsonValue | undefined)[]): RequestFacts {
    const { asked, facts, categories } = this;
    const members = asked.map(({ name }, i) => [name, () => values[i]] as const);
    const of = (column: string | undefined): unknown => values[asked.findIndex(({ name }) => name === column)];
    return {
      class: facts.class,
      purpose: facts.purpose,
      origin: String(of(facts.origin) ?? ''),
      consents: (of(facts.consents) ?? []) as string[],
      categories,
      payload: objectOf(members, 0),
    };
  }
}

/** A stream has no alternative target, so a reroute withholds the row. */
export function refuses({ effect }: Decision): boolean {
  return effect === 'deny' || effect === 'reroute';
}
