/**
 * Decides all rows of a batch at once. Rows that agree in every column that the rules read share one decision, made
 * once per stream.
 */
import type { Decision, RequestFacts } from '@topo-bench/core';
import { type Data, DataType, type RecordBatch, type Schema } from 'apache-arrow';
import { objectOf, valueReader } from '../table/json-values.ts';
import type { BatchDecisions } from './batch-decisions.ts';
import { PairCodes } from './pair-codes.ts';
import { noRows, type RowMask, rowsWithCodes } from './row-masks.ts';
import type { RowFacts, StreamRules } from './stream-rules.ts';
import { TwoDecisions } from './two-decisions.ts';
import { type ValueCodes, valueCodes } from './value-codes.ts';

/** Max number of cached distinct rows. Bounds the memory of a stream, whatever its columns contain. */
const maxRemembered = 1 << 20;

export class RowDecisions {
  /** Indexes of the columns that the rules read. */
  private readonly asked: readonly number[];
  private columns: ValueCodes[] = [];
  private pairs: PairCodes[] = [];
  private decisions: (Decision | undefined)[] = [];
  private two: TwoDecisions | undefined;
  private readonly categories: string[];

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
    this.asked = schema.fields.flatMap(({ name }, i) => (isAsked(name) ? [i] : []));
    this.categories = [
      ...new Set(
        schema.fields.flatMap(({ name }) =>
          Object.hasOwn(facts.categories, name) ? [facts.categories[name] as string] : [],
        ),
      ),
    ];
    this.forget();
    const [first, ...others] = this.asked.map((index) => schema.fields[index] as Schema['fields'][number]);
    if (first && others.length === 0 && DataType.isUtf8(first.type)) this.two = new TwoDecisions();
  }

  /** The decision for every row if the rules read no column; otherwise undefined. */
  get uniform(): Decision | undefined {
    return this.asked.length === 0 ? this.rules.decide(this.requestFacts(undefined, 0)) : undefined;
  }

  of(batch: RecordBatch): BatchDecisions {
    const { decisions, two } = this;
    if (this.asked.length === 0) {
      decisions[0] ??= this.rules.decide(this.requestFacts(undefined, 0));
      const rowsOf = ({ length }: readonly number[]): RowMask => (length > 0 ? 'all' : noRows(batch.numRows));
      return { decisions, counts: Int32Array.of(batch.numRows), rowsOf };
    }
    const decided = two?.of(batch.data.children[this.asked[0] as number] as Data, (row) => {
      return this.rules.decide(this.requestFacts(batch, row));
    });
    return decided ?? this.byCodes(batch);
  }

  private byCodes(batch: RecordBatch): BatchDecisions {
    if (this.decisions.length > maxRemembered) this.forget();
    const codes = this.codesOf(batch);
    const counts = countsOf(codes, this.codeCount);
    this.decideNew(batch, codes, counts);
    return {
      decisions: this.decisions,
      counts,
      rowsOf: (members) => rowsWithCodes(codes, members, counts.length),
    };
  }

  /** Decides new codes, each by its first row. */
  private decideNew(batch: RecordBatch, codes: Int32Array, counts: Int32Array): void {
    const isNew = counts.map((count, code) => Number(count > 0 && this.decisions[code] === undefined));
    if (!isNew.includes(1)) return;
    for (let row = 0; row < codes.length; row++) {
      const code = codes[row] as number;
      if (isNew[code] === 0) continue;
      isNew[code] = 0;
      this.decisions[code] = this.rules.decide(this.requestFacts(batch, row));
    }
  }

  /** Exclusive upper bound of the row codes. */
  private get codeCount(): number {
    const last = this.asked.length - 1;
    return (last === 0 ? (this.columns[0] as ValueCodes) : (this.pairs[last] as PairCodes)).count;
  }

  private codesOf(batch: RecordBatch): Int32Array {
    let codes: Int32Array | undefined;
    this.asked.forEach((index, i) => {
      const own = (this.columns[i] as ValueCodes).codes(batch.data.children[index] as Data);
      codes = codes ? (this.pairs[i] as PairCodes).codes(codes, own) : own;
    });
    return codes as Int32Array;
  }

  private forget(): void {
    this.columns = this.asked.map((index) => valueCodes((this.schema.fields[index] as Schema['fields'][number]).type));
    this.pairs = this.asked.map(() => new PairCodes());
    this.decisions = [];
  }

  /** Facts of a row, with only the members that the rules read. */
  private requestFacts(batch: RecordBatch | undefined, row: number): RequestFacts {
    const { facts, categories } = this;
    const members = batch
      ? this.asked.map(
          (i) =>
            [
              (this.schema.fields[i] as Schema['fields'][number]).name,
              valueReader(batch.data.children[i] as Data),
            ] as const,
        )
      : [];
    const payload = objectOf(members, row);
    const of = (column: string | undefined): unknown => members.find(([name]) => name === column)?.[1](row);
    return {
      class: facts.class,
      purpose: facts.purpose,
      origin: String(of(facts.origin) ?? ''),
      consents: (of(facts.consents) ?? []) as string[],
      categories,
      payload,
    };
  }
}

/** Max number of codes for which lanes pay off. */
const maxLaneCodes = 1024;

/**
 * Number of rows by code. Few codes are counted in four lanes: neighbouring rows often have the same code, and each
 * increment would wait for the previous one.
 */
function countsOf(codes: Int32Array, codeCount: number): Int32Array {
  const counts = new Int32Array(codeCount);
  const { length } = codes;
  let row = 0;
  if (codeCount <= maxLaneCodes) {
    const lanes = new Int32Array(4 * codeCount);
    for (const end = length - 3; row < end; row += 4) {
      lanes[4 * (codes[row] as number)]!++;
      lanes[4 * (codes[row + 1] as number) + 1]!++;
      lanes[4 * (codes[row + 2] as number) + 2]!++;
      lanes[4 * (codes[row + 3] as number) + 3]!++;
    }
    for (let lane = 0; lane < lanes.length; lane++) counts[lane >>> 2]! += lanes[lane] as number;
  }
  for (; row < length; row++) counts[codes[row] as number]!++;
  return counts;
}
