/** Codes for values: equal values of a column have equal codes in all batches of a stream. Null has the code 0. */
import { bitAt } from '@topo-bench/arrow-flight/ipc';
import { type Data, DataType, type Vector } from 'apache-arrow';
import { valueReader } from '../table/json-values.ts';
import { Scratch } from './buffers.ts';
import { ByteInterner } from './byte-interner.ts';

export interface ValueCodes {
  /** Codes by row, valid until the next call. */
  codes(data: Data): Int32Array;
  /** Exclusive upper bound of the codes. */
  readonly count: number;
}

/** Selects the implementation for a column type. */
export function valueCodes(type: DataType): ValueCodes {
  if (DataType.isUtf8(type)) return new TextCodes();
  if (DataType.isDictionary(type)) return new DictionaryCodes(type.dictionary as DataType);
  if (DataType.isList(type) && DataType.isUtf8(type.valueType)) return new TextListCodes();
  return new OtherCodes();
}

class TextCodes implements ValueCodes {
  private readonly interner = new ByteInterner();
  private readonly scratch = new Scratch();

  get count(): number {
    return this.interner.size + 1;
  }

  codes(data: Data): Int32Array {
    const { length, valueOffsets } = data;
    const values = data.values as Uint8Array;
    const codes = this.scratch.take(length);
    if (data.nullCount === 0) {
      this.interner.numbersOf(values, valueOffsets as Int32Array, codes);
      return codes;
    }
    const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
    for (let i = 0; i < length; i++) {
      codes[i] = 0;
      if (!bitAt(data.nullBitmap, data.offset + i)) continue;
      codes[i] = 1 + this.interner.of(values, view, valueOffsets[i] as number, valueOffsets[i + 1] as number);
    }
    return codes;
  }
}

/** Codes a list by the sequence of its elements' codes. */
class TextListCodes implements ValueCodes {
  private readonly elements = new TextCodes();
  private readonly interner = new ByteInterner();
  private readonly scratch = new Scratch();

  get count(): number {
    return this.interner.size + 1;
  }

  codes(data: Data): Int32Array {
    const { length, valueOffsets } = data;
    const codes = this.scratch.take(length);
    const first = valueOffsets[0] as number;
    const child = (data.children[0] as Data).slice(first, (valueOffsets[length] as number) - first);
    const sequence = this.elements.codes(child);
    const bytes = new Uint8Array(sequence.buffer, 0, sequence.byteLength);
    const view = new DataView(sequence.buffer);
    const hasNulls = data.nullCount > 0;
    for (let i = 0; i < length; i++) {
      codes[i] = 0;
      if (hasNulls && !bitAt(data.nullBitmap, data.offset + i)) continue;
      const from = 4 * ((valueOffsets[i] as number) - first);
      codes[i] = 1 + this.interner.of(bytes, view, from, 4 * ((valueOffsets[i + 1] as number) - first));
    }
    return codes;
  }
}

class DictionaryCodes implements ValueCodes {
  private readonly values: ValueCodes;
  private readonly scratch = new Scratch();
  private source: Vector | undefined;
  private byIndex = new Int32Array(0);

  constructor(type: DataType) {
    this.values = valueCodes(type);
  }

  get count(): number {
    return this.values.count;
  }

  codes(data: Data): Int32Array {
    if (data.dictionary && data.dictionary !== this.source) {
      this.source = data.dictionary;
      this.byIndex = Int32Array.from(data.dictionary.data.flatMap((part) => [...this.values.codes(part)]));
    }
    const codes = this.scratch.take(data.length);
    const indices = data.values as Int32Array;
    const hasNulls = data.nullCount > 0;
    for (let i = 0; i < data.length; i++) {
      codes[i] = 0;
      if (hasNulls && !bitAt(data.nullBitmap, data.offset + i)) continue;
      codes[i] = this.byIndex[indices[i] as number] as number;
    }
    return codes;
  }
}

/** Codes any other type by the value that rules read. */
class OtherCodes implements ValueCodes {
  private readonly known = new Map<unknown, number>();
  private readonly scratch = new Scratch();

  get count(): number {
    return this.known.size + 1;
  }

  codes(data: Data): Int32Array {
    const read = valueReader(data);
    const codes = this.scratch.take(data.length);
    for (let i = 0; i < data.length; i++) {
      const value = read(i);
      codes[i] = 0;
      if (value === undefined) continue;
      // JSON distinguishes text from numbers; a number is its own key.
      const key = typeof value === 'number' ? value : JSON.stringify(value);
      let code = this.known.get(key);
      if (code === undefined) {
        code = this.known.size + 1;
        this.known.set(key, code);
      }
      codes[i] = code;
    }
    return codes;
  }
}
