/** The supported Flight SQL commands and their results. Source: format/FlightSql.proto of Apache Arrow. */
import { bytesOf, intOf, MessageWriter, readFields, textOf, type WireField } from '../protocol/wire.ts';

/** A direct query (`CommandStatementQuery`), or one to prepare (`ActionCreatePreparedStatementRequest`). */
export interface QueryText {
  query: string;
  /** Empty outside transactions. */
  transaction: Uint8Array;
}

export function decodeQueryText(message: Uint8Array): QueryText {
  const text: QueryText = { query: '', transaction: new Uint8Array(0) };
  for (const field of readFields(message)) {
    if (field.number === 1) text.query = textOf(field);
    else if (field.number === 2) text.transaction = bytesOf(field);
  }
  return text;
}

export function encodeQueryText(query: string): Uint8Array {
  return new MessageWriter().text(1, query).finish();
}

export interface PreparedStatement {
  handle: Uint8Array;
  /** Each schema is one message of the streaming format. */
  datasetSchema: Uint8Array;
  parameterSchema: Uint8Array;
}

/** `ActionCreatePreparedStatementResult`. */
export function encodePreparedStatement({ handle, datasetSchema, parameterSchema }: PreparedStatement): Uint8Array {
  return new MessageWriter().bytes(1, handle).bytes(2, datasetSchema).bytes(3, parameterSchema).finish();
}

export function decodePreparedStatement(message: Uint8Array): PreparedStatement {
  const nothing = new Uint8Array(0);
  const statement: PreparedStatement = { handle: nothing, datasetSchema: nothing, parameterSchema: nothing };
  for (const field of readFields(message)) {
    if (field.number === 1) statement.handle = bytesOf(field);
    else if (field.number === 2) statement.datasetSchema = bytesOf(field);
    else if (field.number === 3) statement.parameterSchema = bytesOf(field);
  }
  return statement;
}

/** `CommandGetSqlInfo`: the requested fact numbers; an empty list requests all. */
export function decodeInfoRequest(message: Uint8Array): number[] {
  const numbers: number[] = [];
  for (const field of readFields(message)) if (field.number === 1) numbers.push(...intsOf(field));
  return numbers;
}

/** Repeated numbers are packed in one bytes field, or each in a separate field. */
function intsOf(field: WireField): number[] {
  if (field.bytes === undefined) return [Number(intOf(field))];
  const numbers: number[] = [];
  let value = 0;
  let scale = 1;
  for (const byte of field.bytes) {
    value += (byte & 0x7f) * scale;
    scale *= 128;
    if (byte >= 0x80) continue;
    numbers.push(value);
    [value, scale] = [0, 1];
  }
  return numbers;
}

/** Filters of a catalogue request; undefined means no filter. */
export interface CatalogueFilter {
  catalogue: string | undefined;
  /** LIKE patterns. */
  schemaPattern: string | undefined;
  tablePattern: string | undefined;
  tableTypes: string[];
  includeSchema: boolean;
}

/** Decodes `CommandGetTables`, and `CommandGetDbSchemas`, which has its first two fields. */
export function decodeCatalogueFilter(message: Uint8Array): CatalogueFilter {
  const filter: CatalogueFilter = {
    catalogue: undefined,
    schemaPattern: undefined,
    tablePattern: undefined,
    tableTypes: [],
    includeSchema: false,
  };
  for (const field of readFields(message)) {
    if (field.number === 1) filter.catalogue = textOf(field);
    else if (field.number === 2) filter.schemaPattern = textOf(field);
    else if (field.number === 3) filter.tablePattern = textOf(field);
    else if (field.number === 4) filter.tableTypes.push(textOf(field));
    else if (field.number === 5) filter.includeSchema = intOf(field) !== 0n;
  }
  return filter;
}
