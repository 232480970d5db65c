/**
 * Values of a driver as JSON text, one encoder for each column. No value is converted to JSON twice. A value that its
 * column cannot represent is an error, as in the columns of its source.
 */
import { clockText, dateText, TopoBenchError, timestampText } from '@topo-bench/core';
import {
  booleanOf,
  bytesOf,
  daysOf,
  decimalText,
  documentOf,
  elementsOf,
  floatConverter,
  integerConverter,
  memberReader,
  microsOf,
  microsOfDay,
  textOf,
} from '@topo-bench/sources';
import {
  type DataType,
  type Decimal,
  type Field,
  type Float,
  type Int,
  type List,
  type Struct,
  type Timestamp,
  Type,
} from 'apache-arrow';
import { maxNumberDigits } from './json-schema.ts';

/** @param value neither null nor undefined */
export type JsonEncoder = (value: unknown) => string;

/** A row as JSON text. @param parent path of the document; empty for a row */
export function rowEncoder(fields: readonly Field[], parent = ''): (row: object) => string {
  const columns = fields.map(({ name, type }, index) => ({
    key: `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`,
    read: memberReader(name),
    encode: encoderOf(type, `${parent}${name}`),
  }));
  return (row) => {
    let text = '';
    for (const { key, read, encode } of columns) {
      const value = read(row);
      text += key;
      text += value === null || value === undefined ? 'null' : encode(value);
    }
    return text === '' ? '{}' : `${text}}`;
  };
}

/**
 * @param path name of the column, for messages
 * @returns throws TopoBenchError `TB_SOURCE_VALUE`
 */
export function encoderOf(type: DataType, path: string): JsonEncoder {
  switch (type.typeId) {
    case Type.Bool:
      return (value) => (booleanOf(value, path) ? 'true' : 'false');
    case Type.Int: {
      const convert = integerConverter(type as Int, path);
      return (value) => `${convert(value)}`;
    }
    case Type.Float: {
      const convert = floatConverter(type as Float, path);
      return (value) => numberText(convert(value), path);
    }
    case Type.Decimal: {
      const encode = (value: unknown): string => decimalText(value, type as Decimal, path);
      return (type as Decimal).precision <= maxNumberDigits ? encode : (value) => `"${encode(value)}"`;
    }
    case Type.Binary:
      return (value) => {
        const { buffer, byteOffset, length } = bytesOf(value, path);
        return `"${Buffer.from(buffer, byteOffset, length).toString('base64')}"`;
      };
    case Type.Date:
      return (value) => `"${dateText(daysOf(value, path))}"`;
    case Type.Time:
      return (value) => `"${clockText(microsOfDay(value, path))}"`;
    case Type.Timestamp: {
      const { timezone } = type as Timestamp;
      return (value) => `"${timestampText(microsOf(value, timezone, path), timezone ? 'Z' : '')}"`;
    }
    case Type.List: {
      const encode = encoderOf((type as List).valueType, `${path}[]`);
      const encodeElement = (element: unknown): string =>
        element === null || element === undefined ? 'null' : encode(element);
      return (value) => `[${elementsOf(value, path).map(encodeElement).join(',')}]`;
    }
    case Type.Struct: {
      const encode = rowEncoder((type as Struct).children, `${path}.`);
      return (value) => encode(documentOf(value, path));
    }
    default:
      return (value) => JSON.stringify(textOf(value, path));
  }
}

function numberText(number: number, path: string): string {
  // As text, the zero below 0 would lose its sign.
  if (Number.isFinite(number)) return Object.is(number, -0) ? '-0' : `${number}`;
  throw new TopoBenchError('TB_SOURCE_VALUE', `column ${path}: got ${number}, expected a number that JSON has`, {
    hint: 'read it through a query that casts it to text',
  });
}
