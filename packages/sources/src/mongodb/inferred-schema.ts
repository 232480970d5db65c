/** The schema of a collection that topo-bench has not loaded, from its first documents. */
import {
  Binary,
  Bool,
  type DataType,
  Decimal,
  Field,
  Float64,
  Int32,
  Int64,
  List,
  Schema,
  Struct,
  TimestampMicrosecond,
  Utf8,
} from 'apache-arrow';
import type { Collection } from 'mongodb';
import { unmappedType } from '../source-error.ts';

const sampleDocuments = 1000;
const hint = 'give the field one type in all documents, or read the collection through a view that converts it';

type Kind = 'null' | 'int' | 'long' | 'double' | 'decimal' | 'text' | 'bool' | 'date' | 'binary' | 'list' | 'document';

interface Shape {
  kind: Kind;
  /** Digits after the point, of a decimal. */
  scale: number;
  element?: Shape;
  members?: Map<string, Shape>;
}

/** @throws TopoBenchError `TB_SOURCE_TYPE` for values of different or unsupported types in one field */
export async function inferSchema(collection: Collection): Promise<Schema> {
  let shape: Shape = { kind: 'document', scale: 0, members: new Map() };
  // Without promotion, numbers keep their BSON type.
  const documents = collection.find({}, { limit: sampleDocuments, promoteValues: false, sort: { _id: 1 } });
  for await (const document of documents) shape = merge(shape, shapeOf(document, ''), '');
  return new Schema(fieldsOf(shape));
}

function shapeOf(value: unknown, path: string): Shape {
  const kind = kindOf(value);
  if (!kind) throw unmappedType(path, typeName(value), hint);
  if (kind === 'decimal') return { kind, scale: scaleOf(String(value)) };
  if (kind === 'list') {
    let element: Shape = { kind: 'null', scale: 0 };
    for (const item of value as unknown[]) element = merge(element, shapeOf(item, `${path}[]`), `${path}[]`);
    return { kind, scale: 0, element };
  }
  if (kind !== 'document') return { kind, scale: 0 };
  const members = Object.entries(value as object).map(
    ([name, member]) => [name, shapeOf(member, path === '' ? name : `${path}.${name}`)] as const,
  );
  return { kind, scale: 0, members: new Map(members) };
}

/** Name of a type without a kind. */
function typeName(value: unknown): string {
  if (value instanceof RegExp) return 'regular expression';
  return (value as { _bsontype?: string })._bsontype ?? typeof value;
}

const bsonKinds: Readonly<Record<string, Kind>> = {
  Int32: 'int',
  Long: 'long',
  Double: 'double',
  Decimal128: 'decimal',
  ObjectId: 'text',
  Binary: 'binary',
};

function kindOf(value: unknown): Kind | undefined {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'bool';
  if (value instanceof Date) return 'date';
  if (Array.isArray(value)) return 'list';
  if (value instanceof Uint8Array) return 'binary';
  const { _bsontype } = value as { _bsontype?: string };
  if (_bsontype !== undefined) return bsonKinds[_bsontype];
  return typeof value === 'object' && !(value instanceof RegExp) ? 'document' : undefined;
}

/** Fraction digits of `1.50`, `15E-1` and `1E+3`. */
function scaleOf(text: string): number {
  const [, fraction = '', exponent = '0'] = /^[^.E]*(?:\.(\d*))?(?:E([+-]?\d+))?$/.exec(text) ?? [];
  return Math.max(0, fraction.length - Number(exponent));
}

const widening: readonly Kind[] = ['int', 'long', 'double'];

function merge(one: Shape, other: Shape, path: string): Shape {
  if (one.kind === 'null') return other;
  if (other.kind === 'null') return one;
  const [a, b] = [widening.indexOf(one.kind), widening.indexOf(other.kind)];
  if (a >= 0 && b >= 0) return a > b ? one : other;
  if (one.kind !== other.kind) throw unmappedType(path, `${one.kind} and ${other.kind} in one field`, hint);
  if (one.kind === 'list') return { ...one, element: merge(one.element as Shape, other.element as Shape, `${path}[]`) };
  if (one.kind !== 'document') return one.scale > other.scale ? one : other;
  const members = new Map(one.members);
  for (const [name, shape] of other.members ?? []) {
    const known = members.get(name);
    members.set(name, known ? merge(known, shape, path === '' ? name : `${path}.${name}`) : shape);
  }
  return { ...one, members };
}

const types: Readonly<Record<Exclude<Kind, 'decimal' | 'list' | 'document'>, () => DataType>> = {
  null: () => new Utf8(),
  int: () => new Int32(),
  long: () => new Int64(),
  double: () => new Float64(),
  text: () => new Utf8(),
  bool: () => new Bool(),
  date: () => new TimestampMicrosecond('UTC'),
  binary: () => new Binary(),
};

function fieldsOf({ members }: Shape): Field[] {
  return [...(members ?? [])].map(([name, shape]) => new Field(name, typeOf(shape), true));
}

function typeOf(shape: Shape): DataType {
  if (shape.kind === 'decimal') return new Decimal(shape.scale, 38, 128);
  if (shape.kind === 'list') return new List(new Field('item', typeOf(shape.element as Shape), true));
  if (shape.kind === 'document') return new Struct(fieldsOf(shape));
  return types[shape.kind]();
}
