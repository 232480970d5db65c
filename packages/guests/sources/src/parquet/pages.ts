/** The data pages in the bytes of a column chunk, as far as these are pages. */
import { type Cursor, readStruct, type Struct } from './thrift.ts';

/** Fields of page headers: https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift */
export const ofPage = { bytes: 2, storedBytes: 3, data: 5, dataV2: 8 } as const;
export const ofData = { values: 1, encoding: 2 } as const;
export const ofDataV2 = { values: 1, encoding: 4, definitionBytes: 5, repetitionBytes: 6, isCompressed: 7 } as const;

export interface Page {
  header: Struct;
  /** Those of a data page of its version. */
  fields: Struct;
  isV2: boolean;
  stored: Buffer;
}

/** Ends without an error at bytes that are no page: the driver reports them. */
export function* pagesIn(bytes: Buffer): Generator<Page, void, void> {
  for (const cursor: Cursor = { bytes, at: 0 }; cursor.at < bytes.length; ) {
    const header = headerAt(cursor);
    if (!header) return;
    const stored = bytes.subarray(cursor.at, cursor.at + number(header, ofPage.storedBytes));
    cursor.at += stored.length;
    const isV2 = header.has(ofPage.dataV2);
    const fields = header.get(isV2 ? ofPage.dataV2 : ofPage.data)?.value;
    if (fields instanceof Map) yield { header, fields, isV2, stored };
  }
}

function headerAt(cursor: Cursor): Struct | undefined {
  try {
    return readStruct(cursor, 0);
  } catch {
    return undefined;
  }
}

export function number(fields: Struct, field: number): number {
  return Number(fields.get(field)?.value);
}
