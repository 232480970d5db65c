/**
 * Sums by key: a hash table in typed arrays. A `Map` of objects takes several times as long for keys beyond 31 bits,
 * which are objects of their own in V8.
 */

/** Small: a sparse stream has windows of a single event. */
const initialCapacity = 8;

/** Places of rows are in the order of their first event. */
export class KeyedSums {
  count = 0;
  keys = new Float64Array(initialCapacity);
  sums = new Float64Array(initialCapacity);
  /** Latest event time of each key, in ms. */
  timesMs = new Float64Array(initialCapacity);
  /** Earliest creation of an event of each key, in µs. */
  createdUs = new Float64Array(initialCapacity);
  /** Place + 1 of a row, by hash; 0 for an empty slot. Twice as many slots as rows. */
  private slots = new Int32Array(initialCapacity * 2);

  add(key: number, value: number, timeMs: number, createdUs: number): void {
    const mask = this.slots.length - 1;
    let slot = hashOfKey(key) & mask;
    for (let place = this.slots[slot] as number; place !== 0; place = this.slots[slot] as number) {
      if (this.keys[place - 1] === key) {
        this.merge(place - 1, value, timeMs, createdUs);
        return;
      }
      slot = (slot + 1) & mask;
    }
    this.append(slot, key, value, timeMs, createdUs);
  }

  addAll(other: KeyedSums): void {
    for (let row = 0; row < other.count; row++) {
      const { keys, sums, timesMs, createdUs } = other;
      this.add(keys[row] as number, sums[row] as number, timesMs[row] as number, createdUs[row] as number);
    }
  }

  /** Keeps the memory for the next rows. */
  clear(): void {
    this.count = 0;
    this.slots.fill(0);
  }

  private merge(row: number, value: number, timeMs: number, createdUs: number): void {
    this.sums[row] = (this.sums[row] as number) + value;
    if (timeMs > (this.timesMs[row] as number)) this.timesMs[row] = timeMs;
    if (createdUs < (this.createdUs[row] as number)) this.createdUs[row] = createdUs;
  }

  private append(slot: number, key: number, value: number, timeMs: number, createdUs: number): void {
    const row = this.count++;
    this.slots[slot] = row + 1;
    this.keys[row] = key;
    this.sums[row] = value;
    this.timesMs[row] = timeMs;
    this.createdUs[row] = createdUs;
    if (this.count === this.keys.length) this.grow();
  }

  private grow(): void {
    const grown = (column: Float64Array): Float64Array<ArrayBuffer> => {
      const longer = new Float64Array(column.length * 2);
      longer.set(column);
      return longer;
    };
    this.keys = grown(this.keys);
    this.sums = grown(this.sums);
    this.timesMs = grown(this.timesMs);
    this.createdUs = grown(this.createdUs);
    this.slots = new Int32Array(this.slots.length * 2);
    const mask = this.slots.length - 1;
    for (let row = 0; row < this.count; row++) {
      let slot = hashOfKey(this.keys[row] as number) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = row + 1;
    }
  }
}

/** 32 bits that depend on all bits of a whole number (finaliser of MurmurHash3). */
export function hashOfKey(key: number): number {
  let bits = key | 0;
  bits ^= Math.imul((key / 2 ** 32) | 0, 0x9e3779b1);
  bits ^= bits >>> 16;
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** From the upper bits of the hash: `KeyedSums` takes the lower ones, so keys of one partition still use all slots. */
export function partitionOfKey(key: number, partitions: number): number {
  return (hashOfKey(key) >>> 16) % partitions;
}
