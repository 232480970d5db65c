/**
 * Physical memory layouts of Arrow types ("Physical Memory Layout" of the Arrow columnar format). Many types share few
 * layouts, so encoder, decoder and governance handle each layout once.
 */
import { DataType, DateUnit, IntervalUnit, Precision, Type, UnionMode } from 'apache-arrow';
import { unsupported } from '../errors.ts';

export type Layout =
  /** No buffers. */
  | { kind: 'null' }
  /** One bit per value. */
  | { kind: 'bits' }
  /** Fixed-width values. */
  | { kind: 'fixed'; byteWidth: number }
  /** Offsets into a byte buffer. */
  | { kind: 'variable'; offsetBytes: 4 | 8; text: boolean }
  /** 16 bytes per value; long values are in variadic buffers. */
  | { kind: 'view'; text: boolean }
  /** Offsets into a child. */
  | { kind: 'list'; offsetBytes: 4 | 8 }
  /** `size` child values per value. */
  | { kind: 'fixed-list'; size: number }
  | { kind: 'struct' }
  /** A type id per value; children as long as the parent. */
  | { kind: 'sparse-union' }
  /** A type id and an offset into the child per value. */
  | { kind: 'dense-union' }
  /** Indices into a separately sent dictionary. */
  | { kind: 'dictionary'; byteWidth: number; signed: boolean };

const intervalBytes = { [IntervalUnit.YEAR_MONTH]: 4, [IntervalUnit.DAY_TIME]: 8, [IntervalUnit.MONTH_DAY_NANO]: 16 };
const floatBytes = { [Precision.HALF]: 2, [Precision.SINGLE]: 4, [Precision.DOUBLE]: 8 };

/** @throws ArrowError `ARROW_UNSUPPORTED` */
export function layoutOf(type: DataType): Layout {
  if (DataType.isDictionary(type)) {
    return { kind: 'dictionary', byteWidth: type.indices.bitWidth / 8, signed: type.indices.isSigned };
  }
  if (DataType.isNull(type)) return { kind: 'null' };
  if (DataType.isBool(type)) return { kind: 'bits' };
  if (DataType.isInt(type) || DataType.isTime(type) || DataType.isDecimal(type)) return fixed(type.bitWidth / 8);
  if (DataType.isFloat(type)) return fixed(floatBytes[type.precision]);
  if (DataType.isDate(type)) return fixed(type.unit === DateUnit.DAY ? 4 : 8);
  if (DataType.isTimestamp(type) || DataType.isDuration(type)) return fixed(8);
  if (DataType.isInterval(type)) return fixed(intervalBytes[type.unit]);
  if (DataType.isFixedSizeBinary(type)) return fixed(type.byteWidth);
  if (DataType.isUtf8(type)) return { kind: 'variable', offsetBytes: 4, text: true };
  if (DataType.isLargeUtf8(type)) return { kind: 'variable', offsetBytes: 8, text: true };
  if (DataType.isBinary(type)) return { kind: 'variable', offsetBytes: 4, text: false };
  if (DataType.isLargeBinary(type)) return { kind: 'variable', offsetBytes: 8, text: false };
  if (DataType.isUtf8View(type)) return { kind: 'view', text: true };
  if (DataType.isBinaryView(type)) return { kind: 'view', text: false };
  if (DataType.isList(type) || DataType.isMap(type)) return { kind: 'list', offsetBytes: 4 };
  if (DataType.isLargeList(type)) return { kind: 'list', offsetBytes: 8 };
  if (DataType.isFixedSizeList(type)) return { kind: 'fixed-list', size: type.listSize };
  if (DataType.isStruct(type)) return { kind: 'struct' };
  if (DataType.isUnion(type)) return { kind: type.mode === UnionMode.Dense ? 'dense-union' : 'sparse-union' };
  throw unsupported(`the Arrow type ${Type[type.typeId] ?? type.typeId}`, 'cast the column to another type first');
}

function fixed(byteWidth: number): Layout {
  return { kind: 'fixed', byteWidth };
}
