/**
 * Maps PostgreSQL types to Arrow types. Types without an exact counterpart are sent as the text that PostgreSQL prints:
 * numbers without a fixed scale, documents, intervals, arrays, and unlisted types.
 */
import { type DataType, Decimal, Field, Schema, Utf8 } from 'apache-arrow';
import { numericDigits, numericId, postgresTypes } from './postgres-types.ts';
import type { SqlColumn } from './sql-source.ts';

const maxDigits = 38;

/** The schema of a result. Every column is nullable. */
export function schemaOf(columns: readonly SqlColumn[]): Schema {
  return new Schema(columns.map(fieldOf));
}

/** The schema of the parameters `$1`, `$2`, …, named by number. */
export function parameterSchema(parameterTypeIds: readonly number[]): Schema {
  return schemaOf(parameterTypeIds.map((typeId, i) => ({ name: String(i + 1), typeId, modifier: -1 })));
}

function fieldOf({ name, typeId, modifier }: SqlColumn): Field {
  const known = postgresTypes.get(typeId);
  const metadata = known && new Map([['ARROW:FLIGHT:SQL:TYPE_NAME', known.name]]);
  return new Field(name, typeId === numericId ? numericType(modifier) : (known?.type ?? new Utf8()), true, metadata);
}

function numericType(modifier: number): DataType {
  const digits = numericDigits(modifier);
  if (!digits) return new Utf8();
  const { precision, scale } = digits;
  const isDecimal = precision <= maxDigits && scale >= 0 && scale <= precision;
  return isDecimal ? new Decimal(scale, precision) : new Utf8();
}
