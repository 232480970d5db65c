/** Dictionaries of a stream, reduced to the values that its rows use. */
import { type Data, type DataType, type Dictionary, Vector } from 'apache-arrow';
import { isValid, type TypedArray, type TypedConstructor } from './gather-values.ts';

interface UsedDictionary {
  source: Vector;
  /** Maps a source index to an index here; −1 if unused. */
  indexOf: Int32Array;
  values: Vector;
}

export class UsedDictionaries {
  private readonly byId = new Map<number, UsedDictionary>();

  /** @param gatherValues gathers the chosen rows of a column */
  constructor(private readonly gatherValues: (type: DataType, data: Data, rows: Int32Array) => Data) {}

  /** The indices of chosen rows and their dictionary, which grows with the stream. */
  gather(type: Dictionary, data: Data, rows: Int32Array): { values: TypedArray; dictionary: Vector } {
    const source = data.dictionary as Vector;
    let used = this.byId.get(type.id);
    if (used?.source !== source) {
      used = { source, indexOf: new Int32Array(source.length).fill(-1), values: this.values(type, source, []) };
    }
    const indices = data.values as TypedArray;
    const values = new (indices.constructor as TypedConstructor)(rows.length);
    const fresh: number[] = [];
    const known = used.values.length;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      if (row < 0 || !isValid(data, row)) continue;
      const index = Number(indices[row]);
      if ((used.indexOf[index] as number) < 0) {
        used.indexOf[index] = known + fresh.length;
        fresh.push(index);
      }
      values[i] = used.indexOf[index] as number;
    }
    if (fresh.length > 0) used.values = joined(used.values, this.values(type, source, fresh));
    this.byId.set(type.id, used);
    return { values, dictionary: used.values };
  }

  private values(type: Dictionary, { data: parts }: Vector, rows: number[]): Vector {
    if (parts.length === 1)
      return new Vector([this.gatherValues(type.dictionary, parts[0] as Data, Int32Array.from(rows))]);
    // Row by row, to keep the order across the parts.
    const pieces = rows.map((row) => {
      let at = row;
      const part = parts.find(({ length }) => {
        if (at < length) return true;
        at -= length;
        return false;
      });
      return this.gatherValues(type.dictionary, part as Data, Int32Array.of(at));
    });
    return new Vector(
      pieces.length > 0 ? pieces : [this.gatherValues(type.dictionary, parts[0] as Data, new Int32Array(0))],
    );
  }
}

function joined(before: Vector, added: Vector): Vector {
  return before.length === 0 ? added : before.concat(added);
}
