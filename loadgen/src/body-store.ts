/** Response bodies as raw bytes in a few large buffers. Parsing during the load would delay the sending of requests. */

const slabBytes = 4 * 1024 * 1024;

/** Position of each row's body, in a form that can be sent between processes. */
export interface StoredBodies {
  slabs: Uint8Array[];
  slab: Uint32Array;
  offset: Uint32Array;
  length: Uint32Array;
}

export class BodyStore {
  readonly #slabs: Uint8Array[] = [];
  #used = slabBytes;
  #slab: number[] = [];
  #offset: number[] = [];
  #length: number[] = [];

  /** Copies a body, given in chunks. A row has at most one body. */
  add(row: number, chunks: readonly Uint8Array[]): void {
    const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    if (this.#used + length > slabBytes) {
      this.#slabs.push(new Uint8Array(Math.max(slabBytes, length)));
      this.#used = 0;
    }
    this.#slab[row] = this.#slabs.length - 1;
    this.#offset[row] = this.#used;
    this.#length[row] = length;
    const slab = this.#slabs.at(-1) as Uint8Array;
    for (const chunk of chunks) {
      slab.set(chunk, this.#used);
      this.#used += chunk.length;
    }
  }

  /** @param rows number of rows; rows without a body get an empty one */
  stored(rows: number): StoredBodies {
    const column = (values: number[]): Uint32Array => Uint32Array.from({ length: rows }, (_, row) => values[row] ?? 0);
    const last = this.#slabs.at(-1);
    if (last) this.#slabs[this.#slabs.length - 1] = last.slice(0, this.#used);
    return { slabs: this.#slabs, slab: column(this.#slab), offset: column(this.#offset), length: column(this.#length) };
  }
}

/** The bytes of one row; undefined without a stored body. */
export function bodyOf(bodies: StoredBodies, row: number): Uint8Array | undefined {
  const length = bodies.length[row] as number;
  if (length === 0) return undefined;
  const offset = bodies.offset[row] as number;
  return bodies.slabs[bodies.slab[row] as number]?.subarray(offset, offset + length);
}
