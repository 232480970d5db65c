/** The values of an Arrow column as exact values of JavaScript, for writers. */
import { type Data, type Decimal, type Struct, Type } from 'apache-arrow';

/**
 * Null for null. Integers up to 32 bits, floats and dates (days) are numbers; 64-bit integers, timestamps and times
 * (µs) are bigints; decimals are text with all digits of their scale; lists are arrays, structs are objects.
 */
export type Cell = null | number | bigint | boolean | string | Uint8Array | readonly Cell[] | { [name: string]: Cell };

/** @returns reads the value at an index of the column */
export function cellReader(data: Data): (index: number) => Cell {
  const read = valueReader(data);
  if (data.nullCount === 0) return read;
  const { nullBitmap, offset } = data;
  return (index) => {
    const bit = index + offset;
    return ((nullBitmap[bit >> 3] as number) >> (bit & 7)) & 1 ? read(index) : null;
  };
}

/** A byte order mark is a part of the text. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function valueReader(data: Data): (index: number) => Cell {
  const { type, values, valueOffsets } = data;
  switch (type.typeId) {
    case Type.Bool:
      return (index) => {
        const bit = index + data.offset;
        return ((values[bit >> 3] >> (bit & 7)) & 1) === 1;
      };
    case Type.Decimal:
      return (index) => decimalText(values, index, (type as Decimal).scale);
    case Type.Utf8:
      return (index) => decoder.decode(values.subarray(valueOffsets[index], valueOffsets[index + 1]));
    case Type.Binary:
      return (index) => values.subarray(valueOffsets[index], valueOffsets[index + 1]);
    case Type.List: {
      const read = cellReader(data.children[0] as Data);
      return (index) => {
        const cells: Cell[] = [];
        for (let i = valueOffsets[index] as number; i < (valueOffsets[index + 1] as number); i++) cells.push(read(i));
        return cells;
      };
    }
    case Type.Struct: {
      const members = (type as Struct).children.map(
        ({ name }, place) => [name, cellReader(data.children[place] as Data)] as const,
      );
      return (index) => Object.fromEntries(members.map(([name, read]) => [name, read(index)]));
    }
    default:
      return (index) => values[index];
  }
}

/** e.g. `-12.50`. @param words four of 32 bits for each value */
function decimalText(words: Uint32Array, index: number, scale: number): string {
  const [low, second] = [words[4 * index] as number, words[4 * index + 1] as number];
  const [third, top] = [(words[4 * index + 2] as number) | 0, (words[4 * index + 3] as number) | 0];
  // Up to 52 bits: the common case.
  const high = second | 0;
  if (third === top && (top === 0 || top === -1) && high >> 20 === (top === 0 ? 0 : -1))
    return withPoint(high * 2 ** 32 + low, scale);
  return withPoint(unscaled(words, index), scale);
}

/** The unscaled integer of a decimal. */
function unscaled(words: Uint32Array, index: number): bigint {
  let value = 0n;
  for (let word = 3; word >= 0; word--) value = (value << 32n) | BigInt(words[4 * index + word] as number);
  return BigInt.asIntN(128, value);
}

/** e.g. `-12.50` for -1250 of scale 2. */
export function withPoint(value: number | bigint, scale: number): string {
  const sign = value < 0 ? '-' : '';
  const digits = String(value < 0 ? -value : value);
  if (scale <= 0) return `${sign}${digits}${digits === '0' ? '' : '0'.repeat(-scale)}`;
  const padded = digits.padStart(scale + 1, '0');
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}
