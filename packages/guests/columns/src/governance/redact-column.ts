/** Governs one column: chosen rows, without removed values, and with pseudonyms. */
import { type Data, type DataType, makeBuilder, Utf8 } from 'apache-arrow';
import { valueReader } from '../table/json-values.ts';
import type { Allocate } from './batch-memory.ts';
import { type Edit, memberEdit } from './edits.ts';
import { gather, gatherStruct, presentRows, sharesMemory } from './gather.ts';
import type { GovernedField } from './governed-schema.ts';

/** Max number of cached pseudonyms per stream, and max length of the values that have one. */
const maxPseudonyms = 1 << 18;
const maxKeyLength = 256;

export class ColumnRedactor {
  private readonly pseudonyms = new Map<string, string>();

  constructor(private readonly pseudonymOf: (value: unknown) => string) {}

  /**
   * @param rows of `data` to keep; −1 gives a null
   * @param edits of these rows
   * @param allocate memory of this batch alone
   */
  redact(
    governed: GovernedField,
    data: Data,
    rows: Int32Array,
    edits: readonly (Edit | undefined)[],
    allocate: Allocate,
  ): Data {
    const { field, isText, children } = governed;
    if (isText) return this.text(data, rows, edits);
    // A pseudonym has no place in a column that is not text: the value is withheld.
    const left = rows.map((row, i) => (edits[i]?.isRemoved || edits[i]?.isPseudonymised ? -1 : row));
    if (children.length === 0) return gather(field.type, data, left, allocate);
    const present = presentRows(data, left);
    const members = children.map((child, i) => {
      const memberEdits = edits.map((edit) => memberEdit(edit, child.field.name));
      return this.redact(child, data.children[i] as Data, present, memberEdits, allocate);
    });
    return gatherStruct(field.type, present, members);
  }

  /** Values as text. Others than texts are written as JSON. */
  private text(data: Data, rows: Int32Array, edits: readonly (Edit | undefined)[]): Data {
    const read = valueReader(data);
    const builder = makeBuilder({ type: new Utf8() as DataType, nullValues: [null] });
    rows.forEach((row, i) => {
      const value = row < 0 || edits[i]?.isRemoved ? undefined : read(row);
      if (value === undefined) builder.append(null);
      else if (edits[i]?.isPseudonymised) builder.append(this.pseudonym(value));
      else builder.append(typeof value === 'string' ? value : JSON.stringify(value));
    });
    return builder.finish().flush();
  }

  private pseudonym(value: unknown): string {
    const key = JSON.stringify(value);
    if (key.length > maxKeyLength) return this.pseudonymOf(value);
    const known = this.pseudonyms.get(key);
    if (known !== undefined) return known;
    if (this.pseudonyms.size >= maxPseudonyms) this.pseudonyms.clear();
    const pseudonym = this.pseudonymOf(value);
    this.pseudonyms.set(key, pseudonym);
    return pseudonym;
  }
}

/** Whether a column can be passed on as it is when no rule touches it and all of its rows pass. */
export function isPassable({ field, isText, children }: GovernedField): boolean {
  return !isText && !sharesMemory(field.type) && children.every(isPassable);
}
