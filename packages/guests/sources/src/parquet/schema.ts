/** The columns of a Parquet file as an Arrow schema. */
import {
  Binary,
  Bool,
  type DataType,
  DateDay,
  Decimal,
  Field,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  List,
  Schema,
  Struct,
  TimeMicrosecond,
  TimestampMicrosecond,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Utf8,
} from 'apache-arrow';
import { type FileMetaData, parquetSchema, type SchemaElement } from 'hyparquet';
import { unmappedType } from '../source-error.ts';

type Tree = ReturnType<typeof parquetSchema>;

const hint = 'write the file again with a type that is listed in docs/data-access.md';

/** @throws TopoBenchError `TB_SOURCE_TYPE` */
export function arrowSchemaOf(metadata: FileMetaData): Schema {
  return new Schema(parquetSchema(metadata).children.map((node) => fieldOf(node, node.element.name)));
}

function fieldOf(node: Tree, path: string): Field {
  if (node.element.repetition_type === 'REPEATED') throw unmappedType(path, 'repeated field outside a list', hint);
  return new Field(node.element.name, typeOf(node, path), true);
}

function typeOf(node: Tree, path: string): DataType {
  const { element, children } = node;
  if (children.length === 0) return scalarOf(element, path);
  if (element.converted_type === 'LIST' || element.logical_type?.type === 'LIST') return listOf(node, path);
  if (element.converted_type?.startsWith('MAP') || element.logical_type) throw unmapped(element, path);
  return new Struct(children.map((child) => fieldOf(child, `${path}.${child.element.name}`)));
}

/** The standard form of three levels. */
function listOf(node: Tree, path: string): List {
  const [repeated] = node.children;
  const [item] = repeated?.children ?? [];
  const name = repeated?.element.name;
  // By these names, a group of one member is the element itself, and a repeated item is a list in it.
  const isElement =
    name === 'array' || name === `${node.element.name}_tuple` || item?.element.repetition_type === 'REPEATED';
  if (repeated?.element.repetition_type !== 'REPEATED' || repeated.children.length !== 1 || !item || isElement)
    throw unmappedType(path, 'list of an old form', hint);
  return new List(new Field('item', typeOf(item, `${path}[]`), true));
}

function scalarOf(element: SchemaElement, path: string): DataType {
  const { type, converted_type: converted, logical_type: logical } = element;
  if (logical?.type === 'DECIMAL' || converted === 'DECIMAL') return decimalOf(element, path);
  if (logical?.type === 'STRING' || converted === 'UTF8' || converted === 'ENUM' || logical?.type === 'ENUM')
    return new Utf8();
  if (logical?.type === 'UUID') return new Utf8();
  if (logical?.type === 'DATE' || converted === 'DATE') return new DateDay();
  if (logical?.type === 'TIMESTAMP') {
    if (logical.unit === 'NANOS') throw unmappedType(path, 'timestamp in nanoseconds', hint);
    return new TimestampMicrosecond(logical.isAdjustedToUTC ? 'UTC' : null);
  }
  if (converted === 'TIMESTAMP_MILLIS' || converted === 'TIMESTAMP_MICROS') return new TimestampMicrosecond('UTC');
  if (logical?.type === 'TIME' && logical.unit === 'MICROS') return new TimeMicrosecond();
  if (logical?.type === 'INTEGER') return integerOf(logical.bitWidth, logical.isSigned, element, path);
  const [, unsigned, width] = /^(U?)INT_(\d+)$/.exec(converted ?? '') ?? [];
  if (width !== undefined) return integerOf(Number(width), unsigned === '', element, path);
  if (logical !== undefined || converted !== undefined) throw unmapped(element, path);
  const plain = plainTypes[type ?? ''];
  if (!plain) throw unmapped(element, path);
  return plain();
}

const plainTypes: Readonly<Record<string, () => DataType>> = {
  BOOLEAN: () => new Bool(),
  INT32: () => new Int32(),
  INT64: () => new Int64(),
  FLOAT: () => new Float32(),
  DOUBLE: () => new Float64(),
  BYTE_ARRAY: () => new Binary(),
};

const integers: Readonly<Record<string, () => DataType>> = {
  true8: () => new Int8(),
  true16: () => new Int16(),
  true32: () => new Int32(),
  true64: () => new Int64(),
  false8: () => new Uint8(),
  false16: () => new Uint16(),
  false32: () => new Uint32(),
  false64: () => new Uint64(),
};

function integerOf(width: number, isSigned: boolean, element: SchemaElement, path: string): DataType {
  const integer = integers[`${isSigned}${width}`];
  if (!integer) throw unmapped(element, path);
  return integer();
}

function decimalOf(element: SchemaElement, path: string): Decimal {
  const precision = element.precision ?? 0;
  if (precision < 1 || precision > 38) throw unmappedType(path, `decimal with ${precision} digits`, hint);
  return new Decimal(element.scale ?? 0, precision, 128);
}

function unmapped(element: SchemaElement, path: string): Error {
  const annotated = element.logical_type?.type ?? element.converted_type;
  return unmappedType(path, [element.type, annotated].filter(Boolean).join(' '), hint);
}
