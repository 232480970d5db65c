/** Bytes that values take in a column: what a reader of the stream would have got of them. */
import type { Data } from 'apache-arrow';
import { valueReader } from '../http/json-values.ts';
import { bitAt } from '../ipc/bits.ts';
import { layoutOf } from '../ipc/layout.ts';

/**
 * Text and bytes count with their length, values of one width with that width, all others with the UTF-8 bytes of their JSON; nulls do not count.
 * @param isChosen whether a row's value is among them; undefined for all
 */
export function valueBytes(data: Data, isChosen?: (row: number) => boolean): number {
  const layout = layoutOf(data.type);
  switch (layout.kind) {
    case 'null':
      return 0;
    case 'bits':
      return chosenRows(data, isChosen);
    case 'fixed':
      return layout.byteWidth * chosenRows(data, isChosen);
    case 'variable':
      if (!isChosen && data.nullCount === 0) return Number(data.valueOffsets[data.length]) - Number(data.valueOffsets[0]);
      return sum(data, isChosen, (row) => Number(data.valueOffsets[row + 1]) - Number(data.valueOffsets[row]));
    default: {
      const read = valueReader(data);
      return sum(data, isChosen, (row) => {
        const value = read(row);
        if (value === undefined) return 0;
        return Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));
      });
    }
  }
}

function chosenRows(data: Data, isChosen: ((row: number) => boolean) | undefined): number {
  return isChosen ? sum(data, isChosen, () => 1) : data.length - data.nullCount;
}

function sum(data: Data, isChosen: ((row: number) => boolean) | undefined, bytes: (row: number) => number): number {
  const hasNulls = data.nullCount > 0 && data.nullBitmap.length > 0;
  let total = 0;
  for (let row = 0; row < data.length; row++) {
    if ((hasNulls && !bitAt(data.nullBitmap, data.offset + row)) || (isChosen && !isChosen(row))) continue;
    total += bytes(row);
  }
  return total;
}
