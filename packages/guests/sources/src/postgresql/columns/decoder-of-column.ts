/** The decoder for each type of PostgreSQL, by object id. */
import { numericId } from '@topo-bench/columns/postgres-types';
import type { DataType, Decimal, List } from 'apache-arrow';
import { elementTypes } from '../types.ts';
import { BytesDecoder, CharDecoder, JsonbDecoder, UuidDecoder } from './bytes-decoders.ts';
import type { ColumnDecoder } from './column-decoder.ts';
import {
  BoolDecoder,
  DateDecoder,
  Float32Decoder,
  Float64Decoder,
  Int16Decoder,
  Int32Decoder,
  Int64Decoder,
  TimeDecoder,
  TimestampDecoder,
  Uint32Decoder,
} from './fixed-decoders.ts';
import { ListDecoder } from './list-decoder.ts';
import { NumericDecoder } from './numeric-decoder.ts';

type DecoderClass = new (type: DataType, path: string, capacity: number) => ColumnDecoder;

const decoders: Readonly<Record<number, DecoderClass>> = {
  16: BoolDecoder,
  17: BytesDecoder,
  18: CharDecoder,
  19: BytesDecoder,
  20: Int64Decoder,
  21: Int16Decoder,
  23: Int32Decoder,
  25: BytesDecoder,
  26: Uint32Decoder,
  114: BytesDecoder,
  700: Float32Decoder,
  701: Float64Decoder,
  1042: BytesDecoder,
  1043: BytesDecoder,
  1082: DateDecoder,
  1083: TimeDecoder,
  1114: TimestampDecoder,
  1184: TimestampDecoder,
  2950: UuidDecoder,
  3802: JsonbDecoder,
};

/** @param type the Arrow type that `arrowTypeOf` gives for the type id @param capacity expected rows of a batch */
export function decoderOf(typeId: number, type: DataType, path: string, capacity: number): ColumnDecoder {
  const elementId = elementTypes[typeId];
  if (elementId !== undefined) {
    const elementType = (type as List).children[0]?.type as DataType;
    const elements = decoderOf(elementId, elementType, `${path}[]`, capacity);
    return new ListDecoder(type as List, path, capacity, elements);
  }
  if (typeId === numericId) return new NumericDecoder(type as Decimal, path, capacity);
  const Decoder = decoders[typeId];
  if (!Decoder) throw new TypeError(`no decoder for the type ${typeId} of column ${path}`);
  return new Decoder(type, path, capacity);
}
