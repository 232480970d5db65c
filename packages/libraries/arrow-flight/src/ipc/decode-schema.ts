/** Decodes the schema of a stream and validates every type: unknown widths and units are refused. */
import {
  Binary,
  BinaryView,
  Bool,
  type DataType,
  Date_,
  Decimal,
  Dictionary,
  Duration,
  Field,
  FixedSizeBinary,
  FixedSizeList,
  Float,
  Int,
  Interval,
  LargeBinary,
  LargeList,
  LargeUtf8,
  List,
  Map_,
  Null,
  Schema,
  Struct,
  Time,
  Timestamp,
  Type,
  Union,
  UnionMode,
  Utf8,
  Utf8View,
} from 'apache-arrow';
import { malformed, unsupported } from '../errors.ts';
import type { FlatTable } from './flat-table.ts';

/** Nesting limit against attacks; equal to that of the C++ implementation. */
const maxNesting = 64;

// Fields of the tables in Schema.fbs.
const schemaTable = { endianness: 0, fields: 1, metadata: 2 };
const fieldTable = { name: 0, nullable: 1, typeKind: 2, type: 3, dictionary: 4, children: 5, metadata: 6 };
const dictionaryTable = { id: 0, indexType: 1, ordered: 2 };
// Kinds without a class in apache-arrow.
const otherKinds: Record<number, string> = { 22: 'RunEndEncoded', 25: 'ListView', 26: 'LargeListView' };

/**
 * @param schema table `Schema` of Schema.fbs
 * @throws ArrowError `ARROW_MALFORMED`, `ARROW_UNSUPPORTED`
 */
export function decodeSchema(schema: FlatTable): Schema {
  if (schema.int16(schemaTable.endianness, 0) !== 0) {
    throw unsupported('big-endian Arrow data', 'write it on a little-endian machine, or let the writer convert it');
  }
  const dictionaries = new Map<number, DataType>();
  const fields = schema.tables(schemaTable.fields).map((field) => decodeField(field, dictionaries, 1));
  return new Schema(fields, keyValues(schema, schemaTable.metadata), dictionaries);
}

/** Key-value pairs of a table's field, in order. */
function keyValues(table: FlatTable, field: number): Map<string, string> {
  return new Map(table.tables(field).map((pair) => [pair.string(0) ?? '', pair.string(1) ?? '']));
}

function decodeField(field: FlatTable, dictionaries: Map<number, DataType>, depth: number): Field {
  if (depth > maxNesting) throw malformed(`its schema nests fields deeper than ${maxNesting}`);
  const name = field.string(fieldTable.name) ?? '';
  const children = field.tables(fieldTable.children).map((child) => decodeField(child, dictionaries, depth + 1));
  const valueType = decodeType(field, name, children);
  const encoding = field.table(fieldTable.dictionary);
  const type = encoding ? decodeDictionary(encoding, name, valueType, dictionaries) : valueType;
  return new Field(name, type, field.bool(fieldTable.nullable), keyValues(field, fieldTable.metadata));
}

function decodeDictionary(
  encoding: FlatTable,
  name: string,
  valueType: DataType,
  known: Map<number, DataType>,
): Dictionary {
  const id = encoding.int64(dictionaryTable.id);
  const index = encoding.table(dictionaryTable.indexType);
  // The default is a signed 32-bit integer.
  const indices = index ? decodeInt(index, name) : new Int(true, 32);
  const seen = known.get(id);
  if (seen && String(seen) !== String(valueType)) {
    throw malformed(`its fields give dictionary ${id} the types ${seen} and ${valueType}`);
  }
  if (!seen) known.set(id, valueType);
  return new Dictionary(
    seen ?? valueType,
    indices as Dictionary['indices'],
    id,
    encoding.bool(dictionaryTable.ordered),
  );
}

function decodeInt(table: FlatTable, name: string): Int {
  return new Int(table.bool(1), oneOf(table.int32(0, 0), [8, 16, 32, 64] as const, name, 'bit width'));
}

function decodeType(field: FlatTable, name: string, children: Field[]): DataType {
  const kind = field.int8(fieldTable.typeKind, 0) as Type;
  const table = (): FlatTable => {
    const type = field.table(fieldTable.type);
    if (!type) throw malformed(`its field ${JSON.stringify(name)} has no type`);
    return type;
  };
  const only = (): Field => {
    if (children.length !== 1)
      throw malformed(`its field ${JSON.stringify(name)} has ${children.length} children, expected 1`);
    return children[0] as Field;
  };
  const unit = (units: readonly number[], otherwise: number): number =>
    oneOf(table().int16(0, otherwise), units, name, 'unit or precision');
  switch (kind) {
    case Type.Null:
      return new Null();
    case Type.Int:
      return decodeInt(table(), name);
    case Type.Float:
      return new Float(unit([0, 1, 2], 0));
    case Type.Binary:
      return new Binary();
    case Type.Utf8:
      return new Utf8();
    case Type.Bool:
      return new Bool();
    case Type.Decimal: {
      const bits = oneOf(table().int32(2, 128), [32, 64, 128, 256], name, 'bit width');
      return new Decimal(table().int32(1, 0), table().int32(0, 0), bits);
    }
    case Type.Date:
      return new Date_(unit([0, 1], 1));
    case Type.Time:
      return decodeTime(table(), name);
    case Type.Timestamp:
      return new Timestamp(unit([0, 1, 2, 3], 0), table().string(1) ?? null);
    case Type.Interval:
      return new Interval(unit([0, 1, 2], 0));
    case Type.List:
      return new List(only());
    case Type.Struct:
      return new Struct(children);
    case Type.Union:
      return decodeUnion(table(), name, children);
    case Type.FixedSizeBinary:
      return new FixedSizeBinary(size(table().int32(0, 0), name));
    case Type.FixedSizeList:
      return new FixedSizeList(size(table().int32(0, 0), name), only());
    case Type.Map:
      return new Map_(entries(only(), name), table().bool(0));
    case Type.Duration:
      return new Duration(unit([0, 1, 2, 3], 1));
    case Type.LargeBinary:
      return new LargeBinary();
    case Type.LargeUtf8:
      return new LargeUtf8();
    case Type.LargeList:
      return new LargeList(only());
    case Type.BinaryView:
      return new BinaryView();
    case Type.Utf8View:
      return new Utf8View();
    default: {
      const known = otherKinds[kind];
      if (known) throw unsupported(`the Arrow type ${known} of field ${JSON.stringify(name)}`, 'cast the column first');
      throw malformed(`its field ${JSON.stringify(name)} has the type number ${kind}`);
    }
  }
}

function decodeTime(table: FlatTable, name: string): Time {
  const unit = oneOf(table.int16(0, 1), [0, 1, 2, 3], name, 'unit');
  return new Time(unit, oneOf(table.int32(1, 32), [unit < 2 ? 32 : 64] as const, name, 'bit width'));
}

function decodeUnion(table: FlatTable, name: string, children: Field[]): Union {
  const given = table.structs(1, 4);
  const typeIds = given.count > 0 ? [...table.int32s(given)] : children.map((_, i) => i);
  const areFit = typeIds.every((id) => id >= 0 && id <= 127) && new Set(typeIds).size === typeIds.length;
  if (!areFit || typeIds.length !== children.length) {
    throw malformed(
      `its union ${JSON.stringify(name)} has ${children.length} children with the type ids ${typeIds.slice(0, 8)}`,
    );
  }
  const mode = oneOf(table.int16(0, 0), [UnionMode.Sparse, UnionMode.Dense], name, 'mode');
  return new Union(mode, typeIds, children);
}

/** A map is a list of structs of key and value. */
function entries(field: Field, name: string): Field<Struct> {
  const { type } = field;
  if (type.typeId !== Type.Struct || type.children.length !== 2) {
    throw malformed(`its map ${JSON.stringify(name)} holds ${type}, expected a struct of key and value`);
  }
  return field;
}

function size(value: number, name: string): number {
  if (value < 0) throw malformed(`its field ${JSON.stringify(name)} has the size ${value}`);
  return value;
}

function oneOf<T extends number>(value: number, allowed: readonly T[], name: string, what: string): T {
  if ((allowed as readonly number[]).includes(value)) return value as T;
  throw malformed(`its field ${JSON.stringify(name)} has the ${what} ${value}, expected ${allowed.join(' or ')}`);
}
