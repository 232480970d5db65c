/** PostgreSQL's types as Arrow types, by object id and modifier. */
import { numericDigits, numericId, postgresTypes } from '@topo-bench/columns/postgres-types';
import { type DataType, Decimal, Field, List } from 'apache-arrow';
import { unmappedType } from '../source-error.ts';

const castToText = 'read it through a query that casts it, e.g. column::text';
const castToNumeric = 'read it through a query that casts it, e.g. column::numeric(38, 9)';

/** Element type by the object id of the array type. */
export const elementTypes: Readonly<Record<number, number>> = {
  199: 114,
  1000: 16,
  1001: 17,
  1002: 18,
  1003: 19,
  1005: 21,
  1007: 23,
  1009: 25,
  1014: 1042,
  1015: 1043,
  1016: 20,
  1021: 700,
  1022: 701,
  1028: 26,
  1115: 1114,
  1182: 1082,
  1183: 1083,
  1185: 1184,
  1231: 1700,
  2951: 2950,
  3807: 3802,
};

export interface PostgresColumn {
  name: string;
  typeId: number;
  /** -1 for none. */
  modifier: number;
}

/**
 * @param typeName name of the type, for messages
 * @throws TopoBenchError `TB_SOURCE_TYPE`
 */
export function arrowTypeOf({ name, typeId, modifier }: PostgresColumn, typeName: string): DataType {
  if (typeId === numericId) return decimalOf(name, modifier);
  const scalar = postgresTypes.get(typeId)?.type;
  if (scalar) return scalar;
  const elementId = elementTypes[typeId];
  if (elementId === undefined) throw unmappedType(name, typeName, castToText);
  const element = arrowTypeOf({ name, typeId: elementId, modifier }, typeName);
  return new List(new Field('item', element, true));
}

function decimalOf(name: string, modifier: number): Decimal {
  const digits = numericDigits(modifier);
  if (!digits) throw unmappedType(name, 'numeric without precision', castToNumeric);
  const { precision, scale } = digits;
  if (precision > 38) throw unmappedType(name, `numeric(${precision}, ${scale})`, castToNumeric);
  return new Decimal(scale, precision, 128);
}
