/** Elements of BSON documents (bsonspec.org): their types and where their values end. */
import { TopoBenchError } from '@topo-bench/core';

/** Bytes of a reply, twice: numbers are read from `view`, texts are copied from `bytes`. Positions are the same. */
export interface Chunk {
  bytes: Buffer;
  view: DataView;
}

export const bson = {
  double: 1,
  text: 2,
  document: 3,
  array: 4,
  binary: 5,
  undefined: 6,
  objectId: 7,
  bool: 8,
  date: 9,
  null: 10,
  int32: 16,
  timestamp: 17,
  int64: 18,
  decimal128: 19,
} as const;

const names = new Map<number, string>(Object.entries(bson).map(([name, type]) => [type, name]));

export function nameOfType(type: number): string {
  return names.get(type) ?? `type ${type}`;
}

const sizes: Readonly<Record<number, number>> = {
  [bson.double]: 8,
  [bson.undefined]: 0,
  [bson.objectId]: 12,
  [bson.bool]: 1,
  [bson.date]: 8,
  [bson.null]: 0,
  [bson.int32]: 4,
  [bson.timestamp]: 8,
  [bson.int64]: 8,
  [bson.decimal128]: 16,
};

/** @returns the position after the value at `at` @throws TopoBenchError `TB_SOURCE_DAMAGED` beyond `end` */
export function endOfValue({ view }: Chunk, type: number, at: number, end: number): number {
  let size = sizes[type];
  if (size === undefined) {
    if (at + 4 > end) throw damagedDocument('a length is cut off');
    const length = view.getInt32(at, true);
    if (length < 0) throw damagedDocument(`got a length of ${length}`);
    if (type === bson.text) size = 4 + length;
    else if (type === bson.document || type === bson.array) size = length;
    else if (type === bson.binary) size = 5 + length;
    else throw damagedDocument(`got a value of type ${type}, which no column can have`);
  }
  if (at + size > end) throw damagedDocument(`a value of ${size} bytes is cut off`);
  return at + size;
}

export function damagedDocument(finding: string): TopoBenchError {
  return new TopoBenchError('TB_SOURCE_DAMAGED', `BSON of MongoDB: ${finding}`, {
    hint: 'check the server: documents of MongoDB end with their elements',
  });
}
