/** The bytes of the column chunks of a row group: neighbours in one read, into memory that all groups use in turn. */
import type { ParquetFile } from '../open-file.ts';

export interface ByteRange {
  start: number;
  /** Exclusive. */
  end: number;
}

export class ChunkBytes {
  readonly #file: Pick<ParquetFile, 'requireBytes' | 'fill'>;
  #memory = new Uint8Array(0);

  constructor(file: Pick<ParquetFile, 'requireBytes' | 'fill'>) {
    this.#file = file;
  }

  /**
   * @returns the bytes of each range, until the next call
   * @throws TopoBenchError `TB_SOURCE_DAMAGED` for bytes beyond the file, before any memory is taken
   */
  async read(ranges: readonly ByteRange[]): Promise<Uint8Array[]> {
    for (const { start, end } of ranges) this.#file.requireBytes(start, end);
    const length = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
    if (this.#memory.length < length) this.#memory = new Uint8Array(length);
    const reads = joined(ranges);
    for (const [place, bytes] of partsOf(this.#memory, reads).entries()) {
      await this.#file.fill(bytes, (reads[place] as ByteRange).start);
    }
    return partsOf(this.#memory, ranges);
  }
}

/** Memory for each range, one after the other. */
function partsOf(memory: Uint8Array, ranges: readonly ByteRange[]): Uint8Array[] {
  let at = 0;
  return ranges.map(({ start, end }) => {
    const first = at;
    at += end - start;
    return memory.subarray(first, at);
  });
}

/** The same bytes in the same order, in as few ranges as possible. */
function joined(ranges: readonly ByteRange[]): ByteRange[] {
  const all: ByteRange[] = [];
  for (const { start, end } of ranges) {
    const last = all.at(-1);
    if (last?.end === start) last.end = end;
    else all.push({ start, end });
  }
  return all;
}
