/**
 * The schema of a governed stream, fixed before its first row. A column that may be pseudonymised becomes text. Every
 * column becomes nullable.
 */
import {
  DataType,
  Dictionary,
  Field,
  FixedSizeList,
  LargeList,
  List,
  Map_,
  type Schema,
  Struct,
  Union,
  Utf8,
} from 'apache-arrow';
import { unsupported } from '../errors.ts';
import { pointerSteps } from './edits.ts';

/** A column after governance. */
export interface GovernedField {
  field: Field;
  /** Whether the column becomes text because a rule may pseudonymise it. Other values are then written as JSON. */
  isText: boolean;
  /** Indexes of struct members by name. */
  members: ReadonlyMap<string, number>;
  children: readonly GovernedField[];
}

/**
 * @param mayPseudonymise JSON pointers; the first step names a column, further ones members of structs
 * @throws TopoBenchError `TB_ARROW_UNSUPPORTED` when a pointer targets a value without a text form
 */
export function governedFields(schema: Schema, mayPseudonymise: readonly string[]): GovernedField[] {
  const paths = mayPseudonymise.map(pointerSteps);
  return schema.fields.map((field) => governed(field, startingWith(field.name, paths)));
}

/** @throws TopoBenchError `TB_ARROW_UNSUPPORTED` */
export function checkPointer(schema: Schema, pointer: string): void {
  let { fields } = schema;
  for (const [depth, step] of pointerSteps(pointer).entries()) {
    const field = fields.find(({ name }) => name === step);
    if (!field) {
      if (depth > 0 && fields.length === 0) throw refusal(pointer);
      return;
    }
    fields = DataType.isStruct(field.type) ? field.type.children : [];
  }
}

function refusal(pointer: string): Error {
  return unsupported(
    `a redaction at ${pointer}, inside a column that is not a struct`,
    'remove the whole column in the rule',
  );
}

function startingWith(name: string, paths: readonly string[][]): string[][] {
  return paths.filter(([first]) => first === name).map((path) => path.slice(1));
}

function governed(field: Field, paths: readonly string[][]): GovernedField {
  const { name, type, metadata } = field;
  const isText = paths.some(({ length }) => length === 0);
  if (isText) {
    if (!hasText(type))
      throw unsupported(`a pseudonym in the column ${name} of type ${type}`, 'remove the column in the rule');
    return { field: new Field(name, new Utf8(), true, metadata), isText, members: new Map(), children: [] };
  }
  if (DataType.isStruct(type)) {
    const children = type.children.map((child) => governed(child, startingWith(child.name, paths)));
    const members = new Map(children.map((child, i) => [child.field.name, i]));
    const struct = new Struct(children.map((child) => child.field));
    return { field: new Field(name, struct, true, metadata), isText, members, children };
  }
  return { field: new Field(name, ownDictionaries(type), true, metadata), isText, members: new Map(), children: [] };
}

/** Whether the JSON of the type is one scalar. */
function hasText(type: DataType): boolean {
  if (DataType.isDictionary(type)) return hasText(type.dictionary as DataType);
  const isBytes = DataType.isBinary(type) || DataType.isLargeBinary(type) || DataType.isBinaryView(type);
  return !isBytes && (type.children ?? []).length === 0 && !DataType.isInterval(type) && !DataType.isNull(type);
}

/** The type with new dictionary ids. Columns cannot share a dictionary once each contains only its used values. */
function ownDictionaries(type: DataType): DataType {
  if (DataType.isDictionary(type))
    return new Dictionary(ownDictionaries(type.dictionary as DataType), type.indices, null, type.isOrdered);
  const fields = (type.children ?? []).map((f) => new Field(f.name, ownDictionaries(f.type), f.nullable, f.metadata));
  const [first] = fields as [Field];
  if (DataType.isStruct(type)) return new Struct(fields);
  if (DataType.isList(type)) return new List(first);
  if (DataType.isLargeList(type)) return new LargeList(first);
  if (DataType.isFixedSizeList(type)) return new FixedSizeList(type.listSize, first);
  if (DataType.isMap(type)) return new Map_(first, type.keysSorted);
  if (DataType.isUnion(type)) return new Union(type.mode, type.typeIds, fields);
  return type;
}
