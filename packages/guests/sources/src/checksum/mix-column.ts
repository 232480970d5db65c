/** Mixes the canonical form of a column's values into the hashes of their rows. */
import { type Data, DateUnit, type Decimal, TimeUnit, Type } from 'apache-arrow';
import type { RowHashes } from './row-hashes.ts';

/** Follows every null; no value has this form. */
const nullWord = 0x6e756c6c;

type Mix = (row: number, index: number) => void;

/** @param data a column with one value for each hash */
export function mixColumn(data: Data, hashes: RowHashes): void {
  const mix = mixerOf(data, hashes);
  for (let row = 0; row < hashes.length; row++) mix(row, row);
}

/** Mixes the value at an index, or null. */
function mixerOf(data: Data, hashes: RowHashes): Mix {
  const mix = valueMixer(data, hashes);
  if (data.nullCount === 0) return mix;
  const { nullBitmap, offset } = data;
  return (row, index) => {
    const bit = index + offset;
    if (((nullBitmap[bit >> 3] as number) >> (bit & 7)) & 1) mix(row, index);
    else hashes.mix(row, nullWord);
  };
}

function valueMixer(data: Data, hashes: RowHashes): Mix {
  const { type, values } = data;
  switch (type.typeId) {
    case Type.Bool:
      return (row, index) => {
        const bit = index + data.offset;
        hashes.mix(row, ((values[bit >> 3] >> (bit & 7)) & 1) + 1);
      };
    case Type.Int:
      return values instanceof BigInt64Array || values instanceof BigUint64Array
        ? longs(values, hashes, 1n)
        : integers(values, hashes);
    case Type.Float:
      return floats(values, hashes);
    case Type.Decimal:
      return decimals(values, (type as Decimal).scale, hashes);
    case Type.Date:
      if ((type as { unit?: DateUnit }).unit === DateUnit.DAY) return integers(values, hashes);
      return (row, index) => mixLong(hashes, row, BigInt(values[index]) / 86_400_000n);
    case Type.Time:
    case Type.Timestamp:
      return instants(values, (type as unknown as { unit: TimeUnit }).unit, hashes);
    case Type.Utf8:
    case Type.Binary:
      return bytes(data, hashes);
    case Type.Dictionary:
      return indirect(data, hashes);
    case Type.List:
      return lists(data, hashes);
    case Type.Struct: {
      const members = data.children.map((child) => mixerOf(child, hashes));
      return (row, index) => {
        for (const member of members) member(row, index);
      };
    }
    default:
      throw new TypeError(`checksum: got a column of type ${type}, expected a type of a source`);
  }
}

function integers(values: Int32Array | Uint32Array, hashes: RowHashes): Mix {
  return (row, index) => {
    const value = values[index] as number;
    hashes.mix(row, value | 0);
    hashes.mix(row, value < 0 ? -1 : 0);
  };
}

function mixLong(hashes: RowHashes, row: number, value: bigint): void {
  hashes.mix(row, Number(BigInt.asIntN(32, value)));
  hashes.mix(row, Number(BigInt.asIntN(32, value >> 32n)));
}

/** @param factor to the canonical unit */
function longs(values: BigInt64Array | BigUint64Array, hashes: RowHashes, factor: bigint): Mix {
  if (factor !== 1n) return (row, index) => mixLong(hashes, row, (values[index] as bigint) * factor);
  const words = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
  return (row, index) => {
    hashes.mix(row, words[2 * index] as number);
    hashes.mix(row, words[2 * index + 1] as number);
  };
}

function floats(values: Float32Array | Float64Array, hashes: RowHashes): Mix {
  const number = new Float64Array(1);
  const words = new Int32Array(number.buffer);
  return (row, index) => {
    const value = values[index] as number;
    number[0] = Number.isNaN(value) ? Number.NaN : value;
    hashes.mix(row, words[0] as number);
    hashes.mix(row, words[1] as number);
  };
}

/** All decimals are mixed as 128 bits: the precision of the type does not count, the scale does. */
function decimals(words: Uint32Array, scale: number, hashes: RowHashes): Mix {
  return (row, index) => {
    hashes.mix(row, scale);
    for (let word = 4 * index; word < 4 * index + 4; word++) hashes.mix(row, words[word] as number);
  };
}

const microsPer: Readonly<Record<number, bigint>> = {
  [TimeUnit.SECOND]: 1_000_000n,
  [TimeUnit.MILLISECOND]: 1000n,
  [TimeUnit.MICROSECOND]: 1n,
};

/** Nanoseconds stay nanoseconds: they would not all be whole microseconds. */
function instants(values: BigInt64Array | Int32Array, unit: TimeUnit, hashes: RowHashes): Mix {
  const factor = microsPer[unit] ?? 1n;
  if (values instanceof Int32Array)
    return (row, index) => mixLong(hashes, row, BigInt(values[index] as number) * factor);
  return longs(values, hashes, factor);
}

function bytes({ valueOffsets, values }: Data, hashes: RowHashes): Mix {
  const all = values as Uint8Array;
  return (row, index) => {
    const [start, end] = [valueOffsets[index] as number, valueOffsets[index + 1] as number];
    hashes.mix(row, end - start);
    let word = 0;
    for (let at = start; at < end; at++) {
      word = (word << 8) | (all[at] as number);
      if (((at - start) & 3) === 3) hashes.mix(row, word);
    }
    if ((end - start) & 3) hashes.mix(row, word);
  };
}

function indirect(data: Data, hashes: RowHashes): Mix {
  const parts = data.dictionary?.data ?? [];
  if (parts.length !== 1) throw new TypeError(`checksum: got a dictionary in ${parts.length} parts, expected 1`);
  const mix = mixerOf(parts[0] as Data, hashes);
  return (row, index) => mix(row, Number(data.values[index]));
}

function lists({ valueOffsets, children }: Data, hashes: RowHashes): Mix {
  const mix = mixerOf(children[0] as Data, hashes);
  return (row, index) => {
    const [start, end] = [valueOffsets[index] as number, valueOffsets[index + 1] as number];
    hashes.mix(row, end - start);
    for (let at = start; at < end; at++) mix(row, at);
  };
}
