/** JSON texts of a connector as values: large numbers keep their digits, and base64 becomes bytes. */
import type { Row } from '@topo-bench/sources';
import { type DataType, type List, type Struct, Type } from 'apache-arrow';

/** JSON numbers of more than 15 digits would be rounded: they are read as text where a type can have them. */
export function jsonParser(types: readonly DataType[]): (text: string) => unknown {
  if (!types.some(hasLargeNumbers)) return JSON.parse;
  return (text) => JSON.parse(/\d{16}/.test(text) ? text.replace(textOrLargeNumber, quoteNumber) : text);
}

/** The first alternative skips texts, and what looks like a number in them. */
const textOrLargeNumber = /"(?:[^"\\]|\\.)*"|(?<=[:[,\s])-?\d{16,}(?=[,\]}\s])/g;

function quoteNumber(part: string): string {
  return part.startsWith('"') ? part : `"${part}"`;
}

function hasLargeNumbers(type: DataType): boolean {
  if (type.typeId === Type.Int) return (type as DataType & { bitWidth: number }).bitWidth === 64;
  return (type.children ?? []).some((child) => hasLargeNumbers(child.type));
}

export function hasBytes(type: DataType): boolean {
  return type.typeId === Type.Binary || (type.children ?? []).some((child) => hasBytes(child.type));
}

/** Bytes travel as base64. Values of another form stay as they are, and do not fit their column. */
export function restoreValue(type: DataType, value: unknown): unknown {
  if (value === null || value === undefined || !hasBytes(type)) return value;
  if (type.typeId === Type.Binary) return typeof value === 'string' ? (bytesOfBase64(value) ?? value) : value;
  if (type.typeId === Type.List)
    return Array.isArray(value) ? value.map((element) => restoreValue((type as List).valueType, element)) : value;
  if (type.typeId !== Type.Struct || typeof value !== 'object' || Array.isArray(value)) return value;
  const members = value as Row;
  const entries = (type as Struct).children.map((field) => [field.name, restoreValue(field.type, members[field.name])]);
  return Object.fromEntries(entries);
}

/** @returns undefined for text with other characters, which Node.js skips */
function bytesOfBase64(text: string): Buffer | undefined {
  const digits = text.length - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
  const bytes = Buffer.from(text, 'base64');
  return digits % 4 !== 1 && bytes.length === Math.floor((3 * digits) / 4) ? bytes : undefined;
}
