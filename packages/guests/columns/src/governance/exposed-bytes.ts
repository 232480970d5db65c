/** Size of withheld values: the bytes that a reader of the ungoverned stream would have received. */
import { layoutOf } from '@topo-bench/arrow-flight/ipc';
import type { Data, Field } from 'apache-arrow';
import { valueReader } from '../table/json-values.ts';
import { type Edit, memberEdit } from './edits.ts';
import { isValid } from './gather.ts';

/** Bytes that edits withhold from a column. A pointer below a withheld one does not count again. */
export function exposedBytes(data: Data, edits: readonly (Edit | undefined)[]): number {
  const sizeOf = sizeReader(data);
  let bytes = 0;
  edits.forEach((edit, row) => {
    if (edit?.isRemoved || edit?.isPseudonymised) bytes += sizeOf(row);
  });
  const inside = edits.map((edit, row) => {
    const isLeft = edit && !edit.isRemoved && !edit.isPseudonymised && isValid(data, row);
    return isLeft ? edit : undefined;
  });
  const names = new Set(inside.flatMap((edit) => [...(edit?.members.keys() ?? [])]));
  for (const name of names) {
    const child = data.children[((data.type.children ?? []) as Field[]).findIndex((field) => field.name === name)];
    const memberEdits = inside.map((edit) => memberEdit(edit, name));
    if (child) bytes += exposedBytes(child, memberEdits);
  }
  return bytes;
}

/**
 * Text and bytes count by length, fixed-width values by width, all others by the UTF-8 size of their JSON. Nulls do not
 * count.
 */
function sizeReader(data: Data): (row: number) => number {
  const layout = layoutOf(data.type);
  switch (layout.kind) {
    case 'null':
      return () => 0;
    case 'bits':
      return (row) => Number(isValid(data, row));
    case 'fixed':
      return (row) => (isValid(data, row) ? layout.byteWidth : 0);
    case 'variable': {
      const { valueOffsets } = data;
      return (row) => (isValid(data, row) ? Number(valueOffsets[row + 1]) - Number(valueOffsets[row]) : 0);
    }
    default: {
      const read = valueReader(data);
      return (row) => {
        const value = read(row);
        if (value === undefined) return 0;
        return Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));
      };
    }
  }
}
