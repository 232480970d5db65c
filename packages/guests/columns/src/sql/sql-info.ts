/** Server information (`CommandGetSqlInfo`): one row per fact, its value in a union of six types. */
import {
  Bool,
  BufferType,
  Data,
  type DataType,
  DenseUnion,
  Field,
  Int32,
  Int64,
  List,
  Map_,
  RecordBatch,
  Schema,
  Struct,
  Uint32,
  Utf8,
} from 'apache-arrow';
import { batchOf } from './row-batches.ts';

/** SqlInfo numbers from FlightSql.proto. */
const facts: readonly (readonly [number: number, value: string | boolean | number])[] = [
  [0, 'topo-bench'], // FLIGHT_SQL_SERVER_NAME
  [1, '1'], // FLIGHT_SQL_SERVER_VERSION, of what is served
  [2, '1.5'], // FLIGHT_SQL_SERVER_ARROW_VERSION, of the format
  [3, true], // FLIGHT_SQL_SERVER_READ_ONLY
  [4, true], // FLIGHT_SQL_SERVER_SQL
  [5, false], // FLIGHT_SQL_SERVER_SUBSTRAIT
  [8, 0], // FLIGHT_SQL_SERVER_TRANSACTION: none
  [9, false], // FLIGHT_SQL_SERVER_CANCEL: by cancelling the call
  [500, false], // SQL_DDL_CATALOG
  [501, false], // SQL_DDL_SCHEMA
  [502, false], // SQL_DDL_TABLE
  [503, 3], // SQL_IDENTIFIER_CASE: lower
  [504, '"'], // SQL_IDENTIFIER_QUOTE_CHAR
  [507, 0], // SQL_NULL_ORDERING: high
];

const item = (name: string, type: DataType): Field => new Field(name, type, true);
const lists = new List(item('item', new Utf8()));
const entry = new Struct<{ key: Int32; value: List<Int32> }>([
  new Field('key', new Int32(), false),
  new Field('value', new List(item('item', new Int32())), true),
]);
const members: readonly DataType[] = [
  new Utf8(),
  new Bool(),
  new Int64(),
  new Int32(),
  lists,
  new Map_(new Field('entries', entry, false)),
];
const names = ['string_value', 'bool_value', 'bigint_value', 'int32_bitmask', 'string_list', 'int32_to_int32_list_map'];
const value = new DenseUnion(
  members.map((_, i) => i),
  members.map((type, i) => item(names[i] as string, type)),
);

export const infoSchema = new Schema([new Field('info_name', new Uint32(), false), new Field('value', value, false)]);

/** @param requested fact numbers; an empty list requests all. Unknown numbers are ignored. */
export function infoBatch(requested: readonly number[]): RecordBatch {
  const chosen = facts.filter(([number]) => requested.length === 0 || requested.includes(number));
  const numbers = new Data(new Uint32(), 0, chosen.length, 0, {
    [BufferType.DATA]: Uint32Array.from(chosen, ([number]) => number),
  });
  const typeIds = Int8Array.from(chosen, ([, fact]) => memberOf(fact));
  const offsets = Int32Array.from(chosen, (_, i) => typeIds.subarray(0, i).filter((id) => id === typeIds[i]).length);
  const children = members.map((type, id) => {
    const rows = chosen.filter((_, i) => typeIds[i] === id).map(([, fact]) => [textOf(fact)]);
    return rows.length > 0 ? (batchOf(new Schema([item('', type)]), rows).data.children[0] as Data) : emptyData(type);
  });
  const buffers = { [BufferType.TYPE]: typeIds, [BufferType.OFFSET]: offsets };
  const values = new Data(value, 0, chosen.length, 0, buffers, children);
  return new RecordBatch(
    infoSchema,
    new Data(new Struct(infoSchema.fields), 0, chosen.length, 0, {}, [numbers, values]),
  );
}

function emptyData(type: DataType): Data {
  const children = ((type.children ?? []) as Field[]).map((child) => emptyData(child.type));
  const buffers = { [BufferType.OFFSET]: new Int32Array(1), [BufferType.DATA]: new Uint8Array(0) };
  return new Data(type, 0, 0, 0, buffers as ConstructorParameters<typeof Data>[4], children);
}

function memberOf(fact: string | boolean | number): number {
  return typeof fact === 'number' ? names.indexOf('int32_bitmask') : Number(typeof fact === 'boolean');
}

function textOf(fact: string | boolean | number): string {
  return typeof fact === 'boolean' ? (fact ? 't' : 'f') : String(fact);
}
