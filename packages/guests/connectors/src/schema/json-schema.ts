/**
 * Arrow types as JSON Schema with the types of the Airbyte protocol, and back. `arrow_type` is our own keyword, which
 * the protocol permits: with it the converter restores the exact type. `arrow_order` has the names of the columns in
 * their order, which an object of JavaScript does not keep for names such as `2024`.
 */
import {
  Binary,
  Bool,
  type DataType,
  DateDay,
  Decimal,
  Field,
  type Float,
  Float32,
  Float64,
  type Int,
  Int8,
  Int16,
  Int32,
  Int64,
  List,
  Precision,
  Schema,
  Struct,
  TimeMicrosecond,
  type Timestamp,
  TimestampMicrosecond,
  Type,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Utf8,
} from 'apache-arrow';
import type { JsonColumnSchema, JsonObjectSchema } from '../protocol/messages.ts';

/** Decimals of up to 15 digits survive any reader that parses JSON numbers as 64-bit floating point. */
export const maxNumberDigits = 15;

export function jsonSchemaOf({ fields }: { fields: readonly Field[] }): JsonObjectSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    ...propertiesOf(fields),
  };
}

function propertiesOf(fields: readonly Field[]): Pick<JsonObjectSchema, 'properties' | 'arrow_order'> {
  const properties = Object.fromEntries(fields.map(({ name, type }) => [name, columnSchemaOf(type)]));
  return { properties, arrow_order: fields.map(({ name }) => name) };
}

function columnSchemaOf(type: DataType): JsonColumnSchema {
  switch (type.typeId) {
    case Type.Bool:
      return { type: ['boolean', 'null'] };
    case Type.Int: {
      const { bitWidth, isSigned } = type as Int;
      return { type: ['integer', 'null'], arrow_type: `${isSigned ? '' : 'u'}int${bitWidth}` };
    }
    case Type.Float:
      return {
        type: ['number', 'null'],
        arrow_type: (type as Float).precision === Precision.SINGLE ? 'float' : 'double',
      };
    case Type.Decimal: {
      const { precision, scale } = type as Decimal;
      const arrow_type = `decimal128(${precision}, ${scale})`;
      if (precision <= maxNumberDigits) return { type: ['number', 'null'], arrow_type };
      return { type: ['string', 'null'], airbyte_type: 'big_number', arrow_type };
    }
    case Type.Binary:
      return { type: ['string', 'null'], contentEncoding: 'base64' };
    case Type.Date:
      return { type: ['string', 'null'], format: 'date' };
    case Type.Time:
      return { type: ['string', 'null'], format: 'time', airbyte_type: 'time_without_timezone' };
    case Type.Timestamp: {
      const zone = (type as Timestamp).timezone ? 'with' : 'without';
      return { type: ['string', 'null'], format: 'date-time', airbyte_type: `timestamp_${zone}_timezone` };
    }
    case Type.List:
      return { type: ['array', 'null'], items: columnSchemaOf((type as List).valueType) };
    case Type.Struct: {
      return { type: ['object', 'null'], ...propertiesOf((type as Struct).children) };
    }
    default:
      return { type: ['string', 'null'] };
  }
}

/** The schema of the record batches; types without `arrow_type` have the widest type of their JSON type. */
export function arrowSchemaOf(schema: Pick<JsonObjectSchema, 'properties' | 'arrow_order'>): Schema {
  return new Schema(fieldsOf(schema));
}

/** A client may have removed properties, and connectors of other authors have no order of their own. */
function fieldsOf({ properties, arrow_order = [] }: Pick<JsonObjectSchema, 'properties' | 'arrow_order'>): Field[] {
  const columns = new Map(Object.entries(properties));
  const names = new Set([...arrow_order.filter((name) => columns.has(name)), ...columns.keys()]);
  return [...names].map((name) => new Field(name, arrowTypeOf(columns.get(name) as JsonColumnSchema), true));
}

const named: Readonly<Record<string, () => DataType>> = {
  int8: () => new Int8(),
  int16: () => new Int16(),
  int32: () => new Int32(),
  int64: () => new Int64(),
  uint8: () => new Uint8(),
  uint16: () => new Uint16(),
  uint32: () => new Uint32(),
  uint64: () => new Uint64(),
  float: () => new Float32(),
  double: () => new Float64(),
};

function arrowTypeOf(column: JsonColumnSchema): DataType {
  const { arrow_type: own = '', format, airbyte_type, contentEncoding } = column as JsonColumnSchema & Own;
  const [, precision, scale] = /^decimal128\((\d+), (-?\d+)\)$/.exec(own) ?? [];
  if (precision !== undefined) return new Decimal(Number(scale), Number(precision), 128);
  const exact = named[own];
  if (exact) return exact();
  const [type] = [column.type].flat().filter((name) => name !== 'null');
  if (type === 'boolean') return new Bool();
  if (type === 'integer') return new Int64();
  if (type === 'number') return new Float64();
  if (type === 'array') return new List(new Field('item', arrowTypeOf(column.items as JsonColumnSchema), true));
  if (type === 'object' && column.properties) {
    return new Struct(fieldsOf(column as unknown as JsonObjectSchema));
  }
  if (contentEncoding === 'base64') return new Binary();
  if (format === 'date') return new DateDay();
  if (format === 'time') return new TimeMicrosecond();
  if (format === 'date-time')
    return airbyte_type === 'timestamp_without_timezone' ? new TimestampMicrosecond() : new TimestampMicrosecond('UTC');
  return new Utf8();
}

interface Own {
  arrow_type?: string;
}
