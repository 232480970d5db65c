/** Headers of Parquet pages: numbers as in the Thrift definition of the format, parquet.thrift. */
import { type ByteCursor, readStruct, type ThriftStruct } from './thrift-struct.ts';

export interface PageHeader {
  kind: 'data' | 'dictionary' | 'other';
  /** Bytes of the page after its header. */
  storedBytes: number;
  /** After decompression. */
  bytes: number;
  /** Rows of a flat column, nulls included; entries of a dictionary. */
  values: number;
  encoding: 'plain' | 'dictionary';
  /** Levels stand before the compressed part; else they are its first part, with their length. */
  levels?: { repetitionBytes: number; definitionBytes: number };
  isCompressed: boolean;
}

const pageKinds: Readonly<Record<number, PageHeader['kind']>> = { 0: 'data', 2: 'dictionary', 3: 'data' };
const encodings: Readonly<Record<number, PageHeader['encoding']>> = { 0: 'plain', 2: 'dictionary', 8: 'dictionary' };
const rleLevels = 3;

/**
 * @param isNullable whether pages have levels; else writers name an encoding that they do not use
 * @throws RangeError for a header that makes no sense
 */
export function readPageHeader(cursor: ByteCursor, isNullable: boolean): PageHeader {
  const page = readStruct(cursor);
  const kind = pageKinds[numberOf(page, 1)] ?? 'other';
  const sizes = { bytes: numberOf(page, 2), storedBytes: numberOf(page, 3) };
  const [first, second, dictionary] = [structOf(page, 5), structOf(page, 8), structOf(page, 7)];
  if (kind === 'data' && second) {
    const levels = { definitionBytes: numberOf(second, 5), repetitionBytes: numberOf(second, 6) };
    const isCompressed = second.get(7) !== false;
    return { kind, ...sizes, values: numberOf(second, 1), encoding: encodingOf(second, 4), levels, isCompressed };
  }
  if (kind === 'data' && first) {
    if (isNullable && numberOf(first, 3) !== rleLevels) {
      throw new RangeError('got levels in the form of Parquet 1.0, expected runs');
    }
    return { kind, ...sizes, values: numberOf(first, 1), encoding: encodingOf(first, 2), isCompressed: true };
  }
  if (kind === 'dictionary' && dictionary) {
    return { kind, ...sizes, values: numberOf(dictionary, 1), encoding: 'plain', isCompressed: true };
  }
  if (kind !== 'other') throw new RangeError('got a page header without its second part');
  return { kind, ...sizes, values: 0, encoding: 'plain', isCompressed: false };
}

function encodingOf(header: ThriftStruct, field: number): PageHeader['encoding'] {
  const encoding = encodings[numberOf(header, field)];
  if (encoding === undefined) throw new RangeError(`got a page with encoding ${numberOf(header, field)}`);
  return encoding;
}

function numberOf(header: ThriftStruct, field: number): number {
  const value = header.get(field);
  if (typeof value === 'number' && value >= 0) return value;
  throw new RangeError(`got ${String(value)} as field ${field} of a page header`);
}

function structOf(header: ThriftStruct, field: number): ThriftStruct | undefined {
  const value = header.get(field);
  return value instanceof Map ? value : undefined;
}
