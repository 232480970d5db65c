/** Values of a driver as JSON text, one encoder for each column. No value is converted to JSON twice. */
import { TopoBenchError } from '@topo-bench/core';
import { type DataType, type Decimal, type Field, type List, type Struct, type Timestamp, Type } from 'apache-arrow';
import { maxNumberDigits } from './json-schema.ts';
import { dateText, decimalText, timestampText, timeText } from './value-text.ts';

/** @param value neither null nor undefined */
export type JsonEncoder = (value: unknown) => string;

/** A row as JSON text. */
export function rowEncoder(fields: readonly Field[]): (row: Readonly<Record<string, unknown>>) => string {
  const columns = fields.map(({ name, type }, index) => ({
    name,
    key: `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`,
    encode: encoderOf(type, name),
  }));
  return (row) => {
    let text = '';
    for (const { name, key, encode } of columns) {
      const value = row[name];
      text += key;
      text += value === null || value === undefined ? 'null' : encode(value);
    }
    return text === '' ? '{}' : `${text}}`;
  };
}

/** @param path name of the column, for messages */
export function encoderOf(type: DataType, path: string): JsonEncoder {
  switch (type.typeId) {
    case Type.Bool:
      return (value) => (value ? 'true' : 'false');
    case Type.Int:
      return (value) => `${value}`;
    case Type.Float:
      return (value) => numberText(value, path);
    case Type.Decimal: {
      const { precision, scale } = type as Decimal;
      const encode = (value: unknown): string => finiteText(decimalText(value, scale), path);
      return precision <= maxNumberDigits ? encode : (value) => `"${encode(value)}"`;
    }
    case Type.Binary:
      return (value) => `"${bytesOf(value, path).toString('base64')}"`;
    case Type.Date:
      return (value) => `"${dateText(value)}"`;
    case Type.Time:
      return (value) => `"${timeText(value)}"`;
    case Type.Timestamp: {
      const isZoned = Boolean((type as Timestamp).timezone);
      return (value) => `"${timestampText(value, isZoned)}"`;
    }
    case Type.List: {
      const encode = encoderOf((type as List).valueType, `${path}[]`);
      return (value) => {
        if (!Array.isArray(value)) throw unfit(path, value, 'an array');
        return `[${value.map((element) => (element === null || element === undefined ? 'null' : encode(element))).join(',')}]`;
      };
    }
    case Type.Struct: {
      const encode = rowEncoder((type as Struct).children);
      return (value) => {
        if (typeof value !== 'object' || Array.isArray(value)) throw unfit(path, value, 'a document');
        return encode(value as Readonly<Record<string, unknown>>);
      };
    }
    default:
      return (value) => {
        if (typeof value === 'string') return JSON.stringify(value);
        // Identifiers of MongoDB.
        const { toHexString } = value as { toHexString?: () => string };
        if (!toHexString) throw unfit(path, value, 'text');
        return `"${toHexString.call(value)}"`;
      };
  }
}

function numberText(value: unknown, path: string): string {
  const number = Number(value);
  // As text, the zero below 0 would lose its sign.
  if (Number.isFinite(number)) return Object.is(number, -0) ? '-0' : `${number}`;
  throw noNumber(path, value);
}

/** Stores also have `NaN` and `Infinity` as decimals. Only they end with a letter. */
function finiteText(text: string, path: string): string {
  const last = text.charCodeAt(text.length - 1);
  if (last >= 48 && last <= 57) return text;
  throw noNumber(path, text);
}

function noNumber(path: string, value: unknown): TopoBenchError {
  return unfit(path, value, 'a number that JSON has', 'read it through a query that casts it to text');
}

function bytesOf(value: unknown, path: string): Buffer {
  const bytes = value instanceof Uint8Array ? value : (value as { buffer?: unknown }).buffer;
  if (bytes instanceof Uint8Array) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  throw unfit(path, value, 'bytes');
}

function unfit(path: string, value: unknown, expected: string, hint = 'correct the value'): TopoBenchError {
  const shown = String(value).slice(0, 60);
  return new TopoBenchError('TB_SOURCE_VALUE', `column ${path}: got ${shown}, expected ${expected}`, { hint });
}
