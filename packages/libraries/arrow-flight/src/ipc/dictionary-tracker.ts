/** Tracks the dictionaries that the reader of a stream has. Each is sent once, and again only after a change. */
import { type Data, type DataType, type Dictionary, type RecordBatch, Type, type Vector } from 'apache-arrow';
import { unsupported } from '../errors.ts';

/** Dictionary values to send; `isDelta` appends them to the reader's. */
export interface DictionaryValues {
  id: number;
  isDelta: boolean;
  values: Data;
}

export class DictionaryTracker {
  private readonly sent = new Map<number, readonly Data[]>();

  /**
   * The dictionaries to send before a batch, inner ones first.
   * @throws ArrowError `ARROW_UNSUPPORTED` when columns of one batch have different dictionaries with the same id
   */
  missing(batch: RecordBatch): DictionaryValues[] {
    const missing: DictionaryValues[] = [];
    const inBatch = new Map<number, Vector>();
    for (const column of batch.data.children) this.visit(column, inBatch, missing);
    return missing;
  }

  private visit(data: Data, inBatch: Map<number, Vector>, missing: DictionaryValues[]): void {
    for (const child of data.children) this.visit(child, inBatch, missing);
    if (data.typeId !== Type.Dictionary || !data.dictionary) return;
    const { id } = data.type as DataType as Dictionary;
    const before = inBatch.get(id);
    if (before) {
      if (before === data.dictionary || haveSameParts(before.data, data.dictionary.data)) return;
      throw unsupported(
        `a batch with two different dictionaries of the id ${id}`,
        'use separate dictionary types for the columns',
      );
    }
    inBatch.set(id, data.dictionary);
    for (const part of data.dictionary.data) this.visit(part, inBatch, missing);
    this.compare(id, data.dictionary, missing);
  }

  private compare(id: number, { data: parts }: Vector, missing: DictionaryValues[]): void {
    const sent = this.sent.get(id);
    const isAddition =
      sent !== undefined && sent.length <= parts.length && haveSameParts(sent, parts.slice(0, sent.length));
    parts.slice(isAddition ? sent.length : 0).forEach((values, i) => {
      missing.push({ id, isDelta: isAddition || i > 0, values });
    });
    this.sent.set(id, parts);
  }
}

/** Compares by identity, never by content. */
function haveSameParts(a: readonly Data[], b: readonly Data[]): boolean {
  return a.length === b.length && a.every((part, i) => part === b[i]);
}
