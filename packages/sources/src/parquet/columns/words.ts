/** Loops over 32-bit words, in which Parquet's numbers are copied: little endian in the file and in Arrow. */

/** Memory of Arrow's buffers. All words must be written: they are not zero. */
export function unwrittenWords(words: number): Int32Array {
  return new Int32Array(Buffer.allocUnsafeSlow(4 * words).buffer);
}

/** Memory that pages use in turn. */
export class WordBuffer {
  #all = new Int32Array(0);

  words(count: number): Int32Array {
    if (this.#all.length < count) this.#all = new Int32Array(count);
    return this.#all.subarray(0, count);
  }
}

/**
 * The words at the start of some bytes: in place where they are aligned.
 * @param copies where they are copied else; without it, into memory of their own
 * @throws RangeError for fewer bytes
 */
export function wordsOf(bytes: Uint8Array, words: number, copies = new WordBuffer()): Int32Array {
  if (bytes.length < 4 * words) throw new RangeError(`got ${bytes.length} bytes of values, expected ${4 * words}`);
  if (bytes.byteOffset % 4 === 0) return new Int32Array(bytes.buffer, bytes.byteOffset, words);
  const copy = copies.words(words);
  new Uint8Array(copy.buffer).set(bytes.subarray(0, 4 * words));
  return copy;
}

/** Values that are copied to the rows of a column from one row on, with gaps for nulls. */
export interface Gaps {
  /** Ascending places of nulls; the first row has place `from`. */
  places: Int32Array;
  from: number;
  /** The part of the places that are among the rows: `end` is exclusive. */
  start: number;
  end: number;
}

/** Up to here, a loop is faster than a call of the runtime. */
const loopWords = 16;

/** Writes values of `words` words each, and 0 for nulls, to the start of the target, which they fill. */
export function spreadWords(values: Int32Array, words: 1 | 2, gaps: Gaps, target: Int32Array): void {
  const { places, from, start, end } = gaps;
  target.set(values);
  // From the last gap on: what is behind it moves by as many places as there are gaps before.
  let after = target.length;
  for (let gap = end - 1; gap >= start; gap--) {
    const place = words * ((places[gap] as number) - from);
    const next = place + words;
    const shift = words * (gap - start + 1);
    if (after - next > loopWords) target.copyWithin(next, next - shift, after - shift);
    else for (let to = after - 1; to >= next; to--) target[to] = target[to - shift] as number;
    target[place] = 0;
    target[next - 1] = 0;
    after = place;
  }
}

/** Writes integers of 32 bits as such of 128 bits, and 0 for nulls. */
export function widen32(values: Int32Array, { places, from, start, end }: Gaps, target: Int32Array): void {
  let at = 0;
  let to = 0;
  for (let gap = start; gap <= end; gap++) {
    const stop = gap < end ? 4 * ((places[gap] as number) - from) : target.length;
    // Places are multiples of 4: unlike a sum, `|` needs no check of its range.
    for (; to < stop; to = (to + 4) | 0) {
      const low = values[at] as number;
      const sign = low >> 31;
      at = (at + 1) | 0;
      target[to] = low;
      target[to | 1] = sign;
      target[to | 2] = sign;
      target[to | 3] = sign;
    }
    if (gap < end) to = zeroFour(target, to);
  }
}

/** Writes integers of 64 bits, two words each, as such of 128 bits, and 0 for nulls. */
export function widen64(values: Int32Array, { places, from, start, end }: Gaps, target: Int32Array): void {
  let at = 0;
  let to = 0;
  for (let gap = start; gap <= end; gap++) {
    const stop = gap < end ? 4 * ((places[gap] as number) - from) : target.length;
    for (; to < stop; to = (to + 4) | 0) {
      const high = values[at | 1] as number;
      const sign = high >> 31;
      target[to] = values[at] as number;
      target[to | 1] = high;
      target[to | 2] = sign;
      target[to | 3] = sign;
      at = (at + 2) | 0;
    }
    if (gap < end) to = zeroFour(target, to);
  }
}

/** @returns the word behind */
function zeroFour(target: Int32Array, to: number): number {
  target[to] = 0;
  target[to | 1] = 0;
  target[to | 2] = 0;
  target[to | 3] = 0;
  return (to + 4) | 0;
}

/**
 * Copies entries of a dictionary, of one or two words each.
 * @throws RangeError for an index beyond the dictionary
 */
export function gatherWords(entries: Int32Array, words: 1 | 2, indexes: Int32Array, target: Int32Array): void {
  const known = entries.length >>> (words - 1);
  const count = target.length >>> (words - 1);
  if (words === 1) {
    for (let i = 0; i < count; i++) {
      const index = indexes[i] as number;
      if (index >= known) throw beyondDictionary(index, known);
      target[i] = entries[index] as number;
    }
    return;
  }
  for (let i = 0; i < count; i++) {
    const index = indexes[i] as number;
    if (index >= known) throw beyondDictionary(index, known);
    target[2 * i] = entries[2 * index] as number;
    target[2 * i + 1] = entries[2 * index + 1] as number;
  }
}

export function beyondDictionary(index: number, entries: number): RangeError {
  return new RangeError(`got entry ${index} of a dictionary with ${entries}`);
}
