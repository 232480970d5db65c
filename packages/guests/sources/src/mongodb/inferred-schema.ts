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
import { bsonTypeOf } from '../rows/scalar-values.ts';
import { unmappedType } from '../source-error.ts';

const sampleDocuments = 1000;
const hint = 'give the field one type in all documents, or read the collection through a view that converts it';

type Kind = 'null' | 'int' | 'long' | 'double' | 'decimal' | 'text' | 'bool' | 'date' | 'binary' | 'list' | 'document';

interface Shape {
  kind: Kind;
  /** For decimals: digits before the point, digits after it as written, and those that are not zeros at the end. */
  digits?: { whole: number; scale: number; needed: number };
  /** An integer that 64 bits of floating point would round. */
  isBeyondDouble?: boolean;
  element?: Shape;
  members?: Map<string, Shape>;
}

/** @throws TopoBenchError `TB_SOURCE_TYPE` for values of different or unsupported types in one field */
export async function inferSchema(collection: Collection): Promise<Schema> {
  let shape: Shape = { kind: 'document', members: new Map() };
  // Without promotion, numbers keep their BSON type.
  const documents = collection.find({}, { limit: sampleDocuments, promoteValues: false, sort: { _id: 1 } });
  for await (const document of documents) shape = merge(shape, shapeOf(document, ''), '');
  return new Schema(fieldsOf(shape));
}

function shapeOf(value: unknown, path: string): Shape {
  const kind = kindOf(value);
  if (!kind) throw unmappedType(path, typeName(value), hint);
  if (kind === 'decimal') return { kind, digits: digitsOf(String(value)) };
  if (kind === 'long') return { kind, isBeyondDouble: BigInt(Number(value)) !== BigInt(String(value)) };
  if (kind === 'list') {
    let element: Shape = { kind: 'null' };
    for (const item of value as unknown[]) element = merge(element, shapeOf(item, `${path}[]`), `${path}[]`);
    return { kind, element };
  }
  if (kind !== 'document') return { kind };
  const members = Object.entries(value as object).map(
    ([name, member]) => [name, shapeOf(member, path === '' ? name : `${path}.${name}`)] as const,
  );
  return { kind, members: new Map(members) };
}

/** Name of a type without a kind. */
function typeName(value: unknown): string {
  if (value instanceof RegExp) return 'regular expression';
  return bsonTypeOf(value) ?? typeof value;
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
  const bsonType = bsonTypeOf(value);
  if (bsonType !== undefined) return bsonKinds[bsonType];
  return typeof value === 'object' && !(value instanceof RegExp) ? 'document' : undefined;
}

/** @param text e.g. `1.50`, `15E-1`, `1E+3`. Zero, infinities and NaN need no digits. */
function digitsOf(text: string): NonNullable<Shape['digits']> {
  const [, integer = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d*))?(?:E([+-]?\d+))?$/.exec(text) ?? [];
  const significant = (integer + fraction).replace(/^0+/, '');
  const scale = fraction.length - Number(exponent);
  const zeros = /0*$/.exec(significant)?.[0].length ?? 0;
  if (significant === '') return { whole: 0, scale: scale > maxZeroScale ? 0 : Math.max(0, scale), needed: 0 };
  return {
    whole: Math.max(0, significant.length - scale),
    scale: Math.max(0, scale),
    needed: Math.max(0, scale - zeros),
  };
}

/** Zeros with more digits after the point, up to thousands, are those of a calculation. */
const maxZeroScale = 18;
const maxDigits = 38;

const widening: readonly Kind[] = ['int', 'long', 'double'];

function merge(one: Shape, other: Shape, path: string): Shape {
  if (one.kind === 'null') return other;
  if (other.kind === 'null') return one;
  const [a, b] = [widening.indexOf(one.kind), widening.indexOf(other.kind)];
  if (a >= 0 && b >= 0) {
    const isBeyondDouble = one.isBeyondDouble || other.isBeyondDouble || false;
    if (isBeyondDouble && one.kind !== other.kind && Math.max(a, b) === widening.indexOf('double'))
      throw unmappedType(path, 'double, and long integers that a double rounds, in one field', hint);
    return { ...(a > b ? one : other), isBeyondDouble };
  }
  if (one.kind !== other.kind) throw unmappedType(path, `${one.kind} and ${other.kind} in one field`, hint);
  if (one.kind === 'list') return { ...one, element: merge(one.element as Shape, other.element as Shape, `${path}[]`) };
  if (one.kind === 'decimal') return { kind: one.kind, digits: largest(one.digits, other.digits) };
  if (one.kind !== 'document') return one;
  const members = new Map(one.members);
  for (const [name, shape] of other.members ?? []) {
    const known = members.get(name);
    members.set(name, known ? merge(known, shape, path === '' ? name : `${path}.${name}`) : shape);
  }
  return { ...one, members };
}

function largest(one: Shape['digits'], other: Shape['digits']): NonNullable<Shape['digits']> {
  const of = (part: 'whole' | 'scale' | 'needed'): number => Math.max(one?.[part] ?? 0, other?.[part] ?? 0);
  return { whole: of('whole'), scale: of('scale'), needed: of('needed') };
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

function fieldsOf({ members }: Shape, parent = ''): Field[] {
  return [...(members ?? [])].map(([name, shape]) => new Field(name, typeOf(shape, `${parent}${name}`), true));
}

function typeOf(shape: Shape, path: string): DataType {
  if (shape.kind === 'decimal') return decimalOf(shape.digits, path);
  if (shape.kind === 'list') return new List(new Field('item', typeOf(shape.element as Shape, `${path}[]`), true));
  if (shape.kind === 'document') return new Struct(fieldsOf(shape, `${path}.`));
  return types[shape.kind]();
}

/** The scale of the sample as it is written, if that leaves the digits before the point. */
function decimalOf(digits: Shape['digits'], path: string): Decimal {
  const { whole, scale, needed } = largest(digits, undefined);
  if (whole + needed > maxDigits)
    throw unmappedType(path, `decimals of ${whole} digits before the point and ${needed} after it`, hint);
  return new Decimal(Math.min(scale, maxDigits - whole), maxDigits, 128);
}
