/**
 * The cursor of an incremental read: which rows are new, and from where the next read continues. A state never lies
 * between rows with the same value: a read that continues from it would miss the others.
 */
import { TopoBenchError } from '@topo-bench/core';
import { daysOf, microsOf, type Row } from '@topo-bench/sources';
import { type DataType, type Schema, Type } from 'apache-arrow';
import type { JsonObjectSchema, StreamState } from '../protocol/messages.ts';
import { encoderOf } from '../schema/json-value.ts';
import type { CursorRange } from '../stores/store-connector.ts';

/** Records between two states, at least. */
const checkpointRecords = 10_000;

export type CursorStep = 'emit' | 'checkpoint' | 'skip';

interface CursorState {
  cursor_field: readonly string[];
  cursor: string;
}

export class StreamCursor {
  readonly range: CursorRange;
  /** All rows up to this value have been emitted. */
  #done: string | undefined;
  /** Value of the last row, or the greatest value of unordered rows. */
  #last: string | undefined;

  constructor(range: CursorRange) {
    this.range = range;
    this.#done = range.above;
  }

  /** @returns a function to be called with each row in turn. `checkpoint`: a state before the row, then the row. */
  follow(schema: Schema, isOrdered: boolean): (row: Row) => CursorStep {
    const { field, above } = this.range;
    const type = schema.fields.find(({ name }) => name === field)?.type;
    if (!type) throw noCursor(field, 'does not exist');
    const encode = encoderOf(type, field);
    if (above !== undefined) requireValue(type, field, above);
    const text = (row: Row): string | undefined => {
      const value = row[field];
      return value === null || value === undefined ? undefined : plain(encode(value));
    };
    if (isOrdered) return this.#followOrdered(text);
    const compare = comparatorOf(type, field);
    return (row) => {
      const value = text(row);
      if (value === undefined || (above !== undefined && compare(value, above) <= 0)) return 'skip';
      if (this.#last === undefined || compare(value, this.#last) > 0) this.#last = value;
      return 'emit';
    };
  }

  /** All rows of the range have been emitted. */
  complete(): void {
    this.#done = this.#last ?? this.#done;
  }

  state(): CursorState | object {
    return this.#done === undefined ? {} : { cursor_field: [this.range.field], cursor: this.#done };
  }

  #followOrdered(text: (row: Row) => string | undefined): (row: Row) => CursorStep {
    let records = 0;
    return (row) => {
      const value = text(row);
      records++;
      const isDue = records > checkpointRecords && value !== this.#last;
      if (isDue) {
        this.#done = this.#last;
        records = 1;
      }
      this.#last = value;
      return isDue ? 'checkpoint' : 'emit';
    };
  }
}

/** @throws TopoBenchError `TB_USAGE` for a field that is no column of the stream */
export function cursorOf(
  { properties }: JsonObjectSchema,
  field: string,
  state: StreamState | undefined,
): StreamCursor {
  if (!(field in properties)) throw noCursor(field, 'is no column of the stream');
  const saved = state?.stream.stream_state as Partial<CursorState> | undefined;
  const isSame = saved?.cursor_field?.[0] === field && saved.cursor !== undefined;
  return new StreamCursor({ field, ...(isSame && { above: saved.cursor as string }) });
}

/** Types whose order is that of time or of insertion. */
function isCursorType({ typeId }: DataType): boolean {
  return [Type.Int, Type.Decimal, Type.Date, Type.Timestamp, Type.Utf8].includes(typeId);
}

function comparatorOf(type: DataType, field: string): (one: string, other: string) => number {
  if (!isCursorType(type)) throw noCursor(field, `has no order: got ${type}`);
  if (type.typeId === Type.Int || type.typeId === Type.Decimal) return compareDecimals;
  // As texts, years of five digits and years before 1 have another order.
  if (type.typeId === Type.Date) return (one, other) => compare(daysOf(one, field), daysOf(other, field));
  if (type.typeId === Type.Timestamp)
    return (one, other) => compare(microsOf(one, 'UTC', field), microsOf(other, 'UTC', field));
  return compare;
}

function compare<T extends string | number | bigint>(one: T, other: T): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** No row is above `infinity` or `NaN`: a stream would end there for ever. @throws TopoBenchError `TB_USAGE` */
function requireValue(type: DataType, field: string, cursor: string): void {
  if (type.typeId === Type.Utf8 || type.typeId === Type.Bool) return;
  try {
    encoderOf(type, field)(cursor);
  } catch (cause) {
    throw new TopoBenchError('TB_USAGE', `state of cursor field ${field}: got ${cursor}, expected a value of ${type}`, {
      hint: 'reset the state of the stream; leave rows without a finite value out by a query',
      cause,
    });
  }
}

/** Texts with any number of digits. */
function compareDecimals(one: string, other: string): number {
  const digits = Math.max(fractionOf(one).length, fractionOf(other).length);
  const [a, b] = [one, other].map((text) =>
    BigInt(text.replace(/\..*/, '') + fractionOf(text).padEnd(digits, '0')),
  ) as [bigint, bigint];
  return a < b ? -1 : a > b ? 1 : 0;
}

function fractionOf(text: string): string {
  return text.split('.')[1] ?? '';
}

/** JSON text without quotes. */
function plain(json: string): string {
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}

function noCursor(field: string, what: string): TopoBenchError {
  return new TopoBenchError('TB_USAGE', `cursor field ${field} ${what}`, {
    hint: 'name a column with whole numbers, decimals, dates, timestamps or text in the configured catalog',
  });
}
