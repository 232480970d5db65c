/**
 * The table of a service with `arrow:`. Every batch depends on seed, service and position alone: each stream in each
 * process has the same rows. A few batches are cached and repeated, so a stream measures transport, not data
 * generation.
 */
import { countOnes } from '@topo-bench/arrow-flight/ipc';
import type { ArrowColumn, ArrowService } from '@topo-bench/core/schema/arrow';
import { streams } from '@topo-bench/workload';
import {
  Bool,
  type Data,
  type DataType,
  Field,
  Float64,
  Int32,
  Int64,
  List,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Timestamp,
  TimeUnit,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';

/** Number of distinct batches: batch n equals batch n mod 4. */
export const differentBatches = 4;
const firstTimeMs = Date.UTC(2024, 0, 1);

const types: Record<ArrowColumn['type'], () => DataType> = {
  int64: () => new Int64(),
  int32: () => new Int32(),
  float64: () => new Float64(),
  bool: () => new Bool(),
  timestamp: () => new Timestamp(TimeUnit.MILLISECOND, 'UTC'),
  text: () => new Utf8(),
  texts: () => new List(new Field('item', new Utf8(), false)),
};

export class SeededTable {
  readonly schema: Schema;
  private readonly kept: RecordBatch[] = [];

  /** @param name of the service */
  constructor(
    private readonly service: ArrowService,
    private readonly name: string,
    private readonly seed: number,
  ) {
    const note = (category: string): Map<string, string> =>
      new Map(category === 'none' ? [] : [['category', category]]);
    this.schema = new Schema(
      service.columns.map(
        (column) => new Field(column.name, types[column.type](), column.nulls > 0, note(column.category)),
      ),
    );
  }

  get rows(): number {
    return this.service.rows;
  }

  /**
   * The batches of one stream, created on demand.
   * @param signal ends the stream between two batches
   * @param part index of one of `parts` equal parts, for parallel streams
   */
  async *batches(signal?: AbortSignal, part = 0, parts = 1): AsyncGenerator<RecordBatch, void, void> {
    const [from, to] = this.batchesOf(part, parts);
    for (let i = from; i < to; i++) {
      if (signal?.aborted) return;
      yield this.batchAt(i);
      // Yields to other requests between two batches.
      await new Promise((resolve) => void setImmediate(resolve));
    }
  }

  /** Creates all distinct batches ahead of their first use. */
  makeBatches(): void {
    const [, batches] = this.batchesOf(0, 1);
    for (let number = 0; number < Math.min(batches, differentBatches); number++) this.batchAt(number);
  }

  /** First batch (inclusive) and last batch (exclusive) of a part, in table order. */
  batchesOf(part: number, parts: number): [from: number, to: number] {
    const count = Math.ceil(this.service.rows / this.service.batchRows);
    return [Math.floor((part * count) / parts), Math.floor(((part + 1) * count) / parts)];
  }

  /** The batch with the given number, from 0, in table order. */
  batchAt(number: number): RecordBatch {
    const { rows, batchRows } = this.service;
    const length = Math.min(batchRows, rows - number * batchRows);
    const batch = this.batch(number % differentBatches);
    return length < batchRows ? batch.slice(0, length) : batch;
  }

  private batch(index: number): RecordBatch {
    this.kept[index] ??= this.make(index);
    return this.kept[index];
  }

  private make(index: number): RecordBatch {
    const { columns, rows, batchRows } = this.service;
    const length = Math.min(batchRows, rows);
    const children = columns.map((column) => this.column(column, index, length));
    return new RecordBatch(
      this.schema,
      makeData({ type: new Struct(this.schema.fields), length, nullCount: 0, children }),
    );
  }

  private column(column: ArrowColumn, index: number, length: number): Data {
    const random = streams.tableColumn(this.seed, this.name, column.name, index);
    const { nullBitmap, nullCount } = nulls(length, column.nulls, random.uniform);
    const common = { length, nullCount, nullBitmap };
    switch (column.type) {
      case 'int64': {
        const data = BigInt64Array.from({ length }, (_, i) => BigInt(index * length + i));
        return makeData({ type: new Int64(), data, ...common });
      }
      case 'int32':
        return makeData({
          type: new Int32(),
          data: Int32Array.from({ length }, () => random.integer(2 ** 31)),
          ...common,
        });
      case 'float64':
        return makeData({
          type: new Float64(),
          data: Float64Array.from({ length }, () => random.uniform() * 1000),
          ...common,
        });
      case 'bool':
        return makeData({
          type: new Bool(),
          data: Uint8Array.from({ length: Math.ceil(length / 8) }, () => random.integer(256)),
          ...common,
        });
      case 'timestamp': {
        const data = BigInt64Array.from({ length }, (_, i) => BigInt(firstTimeMs + (index * length + i) * 1000));
        return makeData({ type: new Timestamp(TimeUnit.MILLISECOND, 'UTC'), data, ...common });
      }
      case 'text':
        return texts(
          length,
          (i) => column.values?.[random.integer(column.values.length)] ?? invented(column.size, index * length + i),
          common,
        );
      case 'texts':
        return lists(length, column.values ?? [], random.uniform, common);
    }
  }
}

interface Nulls {
  nullBitmap: Uint8Array | null;
  nullCount: number;
}

function nulls(length: number, share: number, uniform: () => number): Nulls {
  if (share === 0) return { nullBitmap: null, nullCount: 0 };
  const nullBitmap = new Uint8Array(Math.ceil(length / 8));
  for (let i = 0; i < length; i++)
    if (uniform() >= share) nullBitmap[i >>> 3] = (nullBitmap[i >>> 3] as number) | (1 << (i & 7));
  return { nullBitmap, nullCount: length - countOnes(nullBitmap, 0, length) };
}

/** A text of the given number of bytes, distinct per number. */
function invented(bytes: number, number: number): string {
  return number.toString(36).padStart(bytes, 'x').slice(-bytes);
}

function texts(length: number, textOf: (row: number) => string, common: Nulls & { length: number }): Data<Utf8> {
  const parts = Array.from({ length }, (_, i) => Buffer.from(textOf(i)));
  const valueOffsets = new Int32Array(length + 1);
  parts.forEach((part, i) => {
    valueOffsets[i + 1] = (valueOffsets[i] as number) + part.length;
  });
  return makeData({ type: new Utf8(), data: new Uint8Array(Buffer.concat(parts)), valueOffsets, ...common });
}

function lists(
  length: number,
  values: readonly string[],
  uniform: () => number,
  common: Nulls & { length: number },
): Data<List> {
  const valueOffsets = new Int32Array(length + 1);
  const chosen: string[] = [];
  for (let i = 0; i < length; i++) {
    chosen.push(...values.filter(() => uniform() < 0.5));
    valueOffsets[i + 1] = chosen.length;
  }
  const child = vectorFromArray(chosen, new Utf8()).data[0] as Data<Utf8>;
  return makeData({ type: new List(new Field('item', new Utf8(), false)), valueOffsets, child, ...common });
}
