/** The hashes of the rows of one batch: two lanes of 32 bits each, in the manner of MurmurHash3. */

export class RowHashes {
  readonly low: Uint32Array;
  readonly high: Uint32Array;

  constructor(readonly length: number) {
    this.low = new Uint32Array(length).fill(0x9747b28c);
    this.high = new Uint32Array(length).fill(0x1b873593);
  }

  /** Mixes 32 bits into the hash of a row. */
  mix(row: number, word: number): void {
    this.low[row] = lane((this.low[row] as number) ^ scramble(word, 0xcc9e2d51, 15), 13, 0xe6546b64);
    this.high[row] = lane((this.high[row] as number) ^ scramble(word, 0x85ebca6b, 17), 11, 0x38495ab5);
  }
}

function scramble(word: number, factor: number, turn: number): number {
  const product = Math.imul(word, factor);
  return Math.imul((product << turn) | (product >>> (32 - turn)), 0x1b873593);
}

function lane(mixed: number, turn: number, add: number): number {
  return (Math.imul((mixed << turn) | (mixed >>> (32 - turn)), 5) + add) | 0;
}

/** The sum of the hashes of all rows. */
export function finish({ low, high, length }: RowHashes): bigint {
  let [lows, highs] = [0, 0];
  for (let row = 0; row < length; row++) {
    const [a, b] = [low[row] as number, high[row] as number];
    lows += avalanche(a ^ (b >>> 7));
    highs += avalanche(b ^ (a << 9));
  }
  return BigInt(lows) + (BigInt(highs) << 32n);
}

function avalanche(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
