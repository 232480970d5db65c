/** Writes a Parquet file of one text column `v` whose dictionary indexes have any width. */
import { gzipSync } from 'node:zlib';

export interface DictionaryFile {
  /** Bits of an index. */
  width: number;
  run: 'packed' | 'rle';
  words: readonly string[];
  /** Their number is a multiple of eight. */
  indexes: readonly number[];
  /** Definition levels in front of the indexes. */
  optional?: boolean;
  gzip?: boolean;
  page?: 1 | 2;
  /** Values that the page announces in place of those in `indexes`; with `optional` all are null. */
  announced?: number;
  /** Values that the column announces. Default: those of the page. */
  inColumn?: number;
  /** Values that the run of levels announces. Default: those of the page. */
  inLevels?: number;
  /** In the footer. */
  encodings?: readonly number[];
}

type Bytes = number[];

const varint = (value: number): Bytes => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]);
const i32 = (value: number): Bytes => varint(value * 2);
const text = (value: string): Bytes => [...varint(Buffer.byteLength(value)), ...Buffer.from(value)];

/** A struct of Thrift's compact protocol: fields are [id, type, bytes]. */
function struct(...fields: [id: number, type: number, bytes: Bytes][]): Bytes {
  let last = 0;
  const bytes = fields.flatMap(([id, type, value]) => {
    const head = ((id - last) << 4) | type;
    last = id;
    return [head, ...value];
  });
  return [...bytes, 0];
}
const list = (type: number, items: Bytes[]): Bytes => [(items.length << 4) | type, ...items.flat()];

export function dictionaryFile(options: DictionaryFile): Buffer {
  const { width, run, words, indexes, optional = false, gzip = false, page = 1 } = options;
  const store = (bytes: Bytes): Bytes => (gzip ? [...gzipSync(Buffer.from(bytes))] : bytes);
  const { announced, inColumn, encodings = [8, 0] } = options;

  const count = announced ?? indexes.length;
  const columnCount = inColumn ?? count;
  const lengthOf = (bytes: Bytes): Bytes => [bytes.length, bytes.length >> 8, 0, 0].map((one) => one & 255);

  const dictionary = words.flatMap((word) => [word.length, 0, 0, 0, ...Buffer.from(word)]);
  const storedDictionary = store(dictionary);
  const dictionaryHead = struct(
    [1, 5, i32(2)],
    [2, 5, i32(dictionary.length)],
    [3, 5, i32(storedDictionary.length)],
    [7, 12, struct([1, 5, i32(words.length)], [2, 5, i32(0)])],
  );

  const levels = optional ? [...varint((options.inLevels ?? count) * 2), announced === undefined ? 1 : 0] : [];
  const values = [width, ...(run === 'rle' ? rleRuns(indexes, width) : packedRun(indexes, width))];
  const inFront = page === 1 && optional ? [...lengthOf(levels), ...levels] : [];
  const data = page === 1 ? store([...inFront, ...values]) : [...levels, ...store(values)];
  const bytes = inFront.length + (page === 2 ? levels.length : 0) + values.length;
  const pageHead = struct(
    [1, 5, i32(page === 1 ? 0 : 3)],
    [2, 5, i32(bytes)],
    [3, 5, i32(data.length)],
    page === 1
      ? [5, 12, struct([1, 5, i32(count)], [2, 5, i32(8)], [3, 5, i32(3)], [4, 5, i32(3)])]
      : [
          8,
          12,
          struct(
            [1, 5, i32(count)],
            [2, 5, i32(announced ?? 0)],
            [3, 5, i32(count)],
            [4, 5, i32(8)],
            [5, 5, i32(levels.length)],
            [6, 5, i32(0)],
            [7, gzip ? 1 : 2, []],
          ),
        ],
  );

  const dataAt = 4 + dictionaryHead.length + storedDictionary.length;
  const total = i32(dataAt - 4 + pageHead.length + data.length);
  const meta = struct(
    [1, 5, i32(6)],
    [2, 9, list(5, encodings.map(i32))],
    [3, 9, list(8, [text('v')])],
    [4, 5, i32(gzip ? 2 : 0)],
    [5, 6, i32(columnCount)],
    [6, 6, total],
    [7, 6, total],
    [9, 6, i32(dataAt)],
    [11, 6, i32(4)],
  );
  const group = struct(
    [1, 9, list(12, [struct([2, 6, i32(0)], [3, 12, meta])])],
    [2, 6, total],
    [3, 6, i32(columnCount)],
  );
  const root = struct([4, 8, text('root')], [5, 5, i32(1)]);
  const column = struct([1, 5, i32(6)], [3, 5, i32(optional ? 1 : 0)], [4, 8, text('v')], [6, 5, i32(0)]);
  const footer = struct(
    [1, 5, i32(1)],
    [2, 9, list(12, [root, column])],
    [3, 6, i32(columnCount)],
    [4, 9, list(12, [group])],
  );
  const magic = [...Buffer.from('PAR1')];
  return Buffer.from([
    ...magic,
    ...dictionaryHead,
    ...storedDictionary,
    ...pageHead,
    ...data,
    ...footer,
    ...lengthOf(footer),
    ...magic,
  ]);
}

function rleRuns(indexes: readonly number[], width: number): Bytes {
  const zeros = new Array<number>(Math.ceil(width / 8) - 1).fill(0);
  return indexes.flatMap((index) => [...varint(2), index, ...zeros]);
}

function packedRun(indexes: readonly number[], width: number): Bytes {
  const bits = indexes.reduce((sum, index, i) => sum | (BigInt(index) << BigInt(i * width)), 0n);
  const bytes = (indexes.length * width) / 8;
  const packed = Array.from({ length: bytes }, (_, i) => Number((bits >> BigInt(8 * i)) & 255n));
  return [...varint(((indexes.length / 8) << 1) | 1), ...packed];
}
