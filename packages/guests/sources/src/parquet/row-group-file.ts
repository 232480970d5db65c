/**
 * One row group of a Parquet file as a file of its own in memory: its column chunks, and a footer with their new
 * places. A decoder that takes whole files thereby needs the memory of one row group only. The footer is edited as a
 * tree of Thrift's compact protocol, so that what is not named here stays as it was written.
 */
import type { ParquetFile } from './open-file.ts';
import { i64, list, readStruct, type Struct, struct, type Value, writeStruct } from './thrift.ts';

const magic = Buffer.from('PAR1');

/** Fields of the Parquet format: https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift */
const ofFile = { schema: 2, rows: 3, groups: 4, keyValues: 5 } as const;
const ofElement = { convertedType: 6, logicalType: 10 } as const;
const ofGroup = { columns: 1, rows: 3, fileOffset: 5, ordinal: 7 } as const;
const ofColumn = { path: 1, fileOffset: 2, meta: 3 } as const;
const ofMeta = { compressedBytes: 7, dataPage: 9, dictionaryPage: 11 } as const;
/** Parts of a chunk's metadata that decoding does not need: other places in the file, statistics, filters. */
const unneeded = [8, 10, 12, 13, 14, 15, 16];

/** @returns files of single row groups, by their number */
export async function rowGroupFiles({ file, fill }: ParquetFile): Promise<(group: number) => Promise<Uint8Array>> {
  const tail = Buffer.from(await file.slice(file.byteLength - 8));
  const end = file.byteLength - 8;
  const cursor = { bytes: Buffer.from(await file.slice(end - tail.readUInt32LE(0), end)), at: 0 };
  const footer = readStruct(cursor, 0);
  const groups = fieldOf<Value[]>(footer, ofFile.groups);
  for (const { value } of fieldOf<Value[]>(footer, ofFile.schema)) {
    // The older annotation is enough. `hyparquet-writer` writes the width of integers in a way that others misread.
    if ((value as Struct).has(ofElement.convertedType)) (value as Struct).delete(ofElement.logicalType);
  }
  return async (number) => {
    const group = new Map(groups[number]?.value as Struct);
    const chunks: Uint8Array[] = [magic];
    let length = magic.length;
    const columns: Value[] = [];
    for (const { value } of fieldOf<Value[]>(group, ofGroup.columns)) {
      const column = value as Struct;
      if (column.has(ofColumn.path)) throw new Error('a column is in another file');
      const meta = new Map(fieldOf<Struct>(column, ofColumn.meta));
      const dataPage = Number(fieldOf<bigint>(meta, ofMeta.dataPage));
      const dictionaryPage = Number(meta.get(ofMeta.dictionaryPage)?.value ?? 0n);
      // Some writers name a dictionary at 0, or behind the data, where there is none.
      const hasDictionary = dictionaryPage > 0 && dictionaryPage < dataPage;
      const start = hasDictionary ? dictionaryPage : dataPage;
      const bytes = Number(fieldOf<bigint>(meta, ofMeta.compressedBytes));
      if (!(start >= 0 && bytes >= 0 && start + bytes <= end)) {
        throw new RangeError(`got bytes ${start} to ${start + bytes} of a file of ${file.byteLength}`);
      }
      const chunk = new Uint8Array(bytes);
      await fill(chunk, start);
      chunks.push(chunk);
      for (const field of unneeded) meta.delete(field);
      meta.set(ofMeta.dataPage, number64(length + dataPage - start));
      if (hasDictionary) meta.set(ofMeta.dictionaryPage, number64(length));
      else meta.delete(ofMeta.dictionaryPage);
      length += bytes;
      columns.push({
        type: struct,
        value: new Map<number, Value>([
          [ofColumn.fileOffset, number64(0)],
          [ofColumn.meta, { type: struct, value: meta }],
        ]),
      });
    }
    group.set(ofGroup.columns, { type: list, of: struct, value: columns });
    group.delete(ofGroup.fileOffset);
    group.delete(ofGroup.ordinal);
    const single = new Map(footer);
    single.set(ofFile.rows, number64(Number(fieldOf<bigint>(group, ofGroup.rows))));
    single.set(ofFile.groups, { type: list, of: struct, value: [{ type: struct, value: group }] });
    // A schema of Arrow in it would choose other types than those of the columns.
    single.delete(ofFile.keyValues);
    const written: number[] = [];
    writeStruct(written, single);
    const size = Buffer.alloc(4);
    size.writeUInt32LE(written.length);
    return Buffer.concat([...chunks, Buffer.from(written), size, magic]);
  };
}

function number64(value: number): Value {
  return { type: i64, value: BigInt(value) };
}

function fieldOf<Kind extends Value['value']>(fields: Struct, field: number): Kind {
  const found = fields.get(field);
  if (!found) throw new Error(`the footer lacks field ${field} of a struct`);
  return found.value as Kind;
}
