/** Size of withheld values: the bytes that a reader of the ungoverned stream would have received. */
import { layoutOf } from '@topo-bench/arrow-flight/ipc';
import type { Data } from 'apache-arrow';
import { valueReader } from '../table/json-values.ts';
import type { Edit } from './edits.ts';
import { bothOf, eitherOf, isMasked, lowestBit, memberCount, outside, type RowMask, validRows } from './row-masks.ts';

/** Bytes that an edit withholds from the passing rows. A nested pointer below a withheld one does not count again. */
export function redactedBytes(data: Data, passing: RowMask, edit: Edit): number {
  const edited = eitherOf(edit.remove, edit.pseudonymise);
  let bytes = edited ? valueBytes(data, bothOf(passing, edited)) : 0;
  if (edited === 'all' || edit.members.size === 0) return bytes;
  const others = edited ? outside(edited, data.length) : 'all';
  const left = bothOf(bothOf(passing, others), validRows(data));
  for (const [name, member] of edit.members) {
    const index = ((data.type.children ?? []) as { name: string }[]).findIndex((field) => field.name === name);
    const child = data.children[index];
    if (child) bytes += redactedBytes(child, left, member);
  }
  return bytes;
}

/**
 * Bytes of the values in `before` that are not in `after`, if the buffers suffice; undefined if each row must be read.
 */
export function lostBytes(before: Data, after: Data): number | undefined {
  const layout = layoutOf(before.type);
  if (layout.kind === 'fixed') return layout.byteWidth * (after.nullCount - before.nullCount);
  if (layout.kind !== 'variable' || before.nullCount > 0) return undefined;
  return spanOf(before) - spanOf(after);
}

function spanOf({ valueOffsets, length }: Data): number {
  return Number(valueOffsets[length]) - Number(valueOffsets[0]);
}

/**
 * Text and bytes count by length, fixed-width values by width, all others by the UTF-8 size of their JSON. Nulls do not
 * count.
 */
export function valueBytes(data: Data, rows: RowMask): number {
  const layout = layoutOf(data.type);
  switch (layout.kind) {
    case 'null':
      return 0;
    case 'bits':
      return chosenValues(data, rows);
    case 'fixed':
      return layout.byteWidth * chosenValues(data, rows);
    case 'variable':
      return lengths(data, bothOf(rows, validRows(data)));
    default:
      return jsonBytes(data, rows);
  }
}

function chosenValues(data: Data, rows: RowMask): number {
  const chosen = bothOf(rows, validRows(data));
  return chosen === 'all' ? data.length : memberCount(chosen);
}

function lengths(data: Data, rows: RowMask): number {
  if (rows === 'all') return spanOf(data);
  const offsets = data.valueOffsets as Int32Array | BigInt64Array;
  let total = 0;
  for (let i = 0; i < rows.length; i++) {
    for (let word = rows[i] as number; word !== 0; word &= word - 1) {
      const row = 32 * i + lowestBit(word);
      total += Number(offsets[row + 1]) - Number(offsets[row]);
    }
  }
  return total;
}

function jsonBytes(data: Data, rows: RowMask): number {
  const read = valueReader(data);
  let total = 0;
  for (let row = 0; row < data.length; row++) {
    const value = isMasked(rows, row) ? read(row) : undefined;
    if (value !== undefined) total += Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));
  }
  return total;
}
