/**
 * The future of a simulation: messages to processes, by time and by order of their making where times are equal. All
 * events are numbers in typed arrays, so a simulation allocates nothing per event.
 */

/** Children of a node of the heap: four lie next to each other in memory. */
const arity = 4;

export class EventCalendar {
  nowUs = 0;
  /** Events that happened. */
  count = 0;
  private size = 0;
  private capacity: number;
  /** The heap: times, and the slots of their events. */
  private times: Float64Array;
  private slots: Int32Array;
  private nextOrder = 0;
  private firstFree = 0;

  /** By slot: order of making, process, request, turn, core of the sender, and the next slot of a list. */
  private order: Float64Array;
  process: Int32Array;
  request: Int32Array;
  turn: Int32Array;
  core: Int32Array;
  next: Int32Array;

  constructor(capacity = 1024) {
    this.capacity = capacity;
    this.times = new Float64Array(capacity);
    this.slots = new Int32Array(capacity);
    this.order = new Float64Array(capacity);
    this.process = new Int32Array(capacity);
    this.request = new Int32Array(capacity);
    this.turn = new Int32Array(capacity);
    this.core = new Int32Array(capacity);
    this.next = new Int32Array(capacity);
    this.free(0, capacity);
  }

  /** A message that is in no order of time yet. @returns its slot */
  take(process: number, request: number, turn: number, core: number): number {
    if (this.firstFree < 0) this.grow();
    const slot = this.firstFree;
    this.firstFree = this.next[slot] as number;
    this.process[slot] = process;
    this.request[slot] = request;
    this.turn[slot] = turn;
    this.core[slot] = core;
    return slot;
  }

  release(slot: number): void {
    this.next[slot] = this.firstFree;
    this.firstFree = slot;
  }

  /** O(log n) for n pending events. */
  schedule(atUs: number, slot: number): void {
    const { times, slots, order } = this;
    order[slot] = this.nextOrder++;
    let at = this.size++;
    while (at > 0) {
      const parent = ((at - 1) / arity) | 0;
      const parentUs = times[parent] as number;
      // A new event is the last one made: it goes before events of later times only.
      if (parentUs <= atUs) break;
      times[at] = parentUs;
      slots[at] = slots[parent] as number;
      at = parent;
    }
    times[at] = atUs;
    slots[at] = slot;
  }

  /** Time of the next event, +∞ without one. */
  get nextUs(): number {
    return this.size === 0 ? Number.POSITIVE_INFINITY : (this.times[0] as number);
  }

  /** The next event happens: there is one. @returns its slot */
  pop(): number {
    const { times, slots } = this;
    const slot = slots[0] as number;
    this.nowUs = times[0] as number;
    this.count++;
    const size = --this.size;
    const lastUs = times[size] as number;
    const last = slots[size] as number;
    let at = 0;
    for (;;) {
      const first = at * arity + 1;
      if (first >= size) break;
      let child = first;
      const end = first + arity < size ? first + arity : size;
      for (let other = first + 1; other < end; other++) if (this.isBefore(other, child)) child = other;
      const childUs = times[child] as number;
      if (childUs > lastUs || (childUs === lastUs && this.orderAt(child) > (this.order[last] as number))) break;
      times[at] = childUs;
      slots[at] = slots[child] as number;
      at = child;
    }
    times[at] = lastUs;
    slots[at] = last;
    return slot;
  }

  private isBefore(a: number, b: number): boolean {
    const aUs = this.times[a] as number;
    const bUs = this.times[b] as number;
    return aUs < bUs || (aUs === bUs && this.orderAt(a) < this.orderAt(b));
  }

  private orderAt(place: number): number {
    return this.order[this.slots[place] as number] as number;
  }

  private free(from: number, to: number): void {
    for (let slot = from; slot < to; slot++) this.next[slot] = slot + 1 < to ? slot + 1 : -1;
    this.firstFree = from;
  }

  private grow(): void {
    const from = this.capacity;
    this.capacity *= 2;
    this.times = grown(this.times, Float64Array);
    this.slots = grown(this.slots, Int32Array);
    this.order = grown(this.order, Float64Array);
    this.process = grown(this.process, Int32Array);
    this.request = grown(this.request, Int32Array);
    this.turn = grown(this.turn, Int32Array);
    this.core = grown(this.core, Int32Array);
    this.next = grown(this.next, Int32Array);
    this.free(from, this.capacity);
  }
}

function grown<List extends Float64Array | Int32Array>(list: List, kind: new (length: number) => List): List {
  const larger = new kind(list.length * 2);
  larger.set(list);
  return larger;
}
