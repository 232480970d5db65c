/** Connections between roles: a call takes one until its answer is read. Calls beyond the limit wait in order. */
import type { Pool } from '../script/deployment-script.ts';
import type { EventCalendar } from './event-calendar.ts';

export class ConnectionPools {
  private readonly busy: Int32Array;
  private readonly limit: Int32Array;
  /** Waiting messages, linked by `EventCalendar.next`. */
  private readonly head: Int32Array;
  private readonly tail: Int32Array;

  constructor(
    pools: readonly Pool[],
    private readonly calendar: EventCalendar,
  ) {
    this.busy = new Int32Array(pools.length);
    this.limit = Int32Array.from(pools, ({ maxConnections }) => maxConnections);
    this.head = new Int32Array(pools.length).fill(-1);
    this.tail = new Int32Array(pools.length).fill(-1);
  }

  /** @returns whether the message may be sent now; else it waits */
  send(pool: number, slot: number): boolean {
    if ((this.busy[pool] as number) < (this.limit[pool] as number)) {
      (this.busy[pool] as number)++;
      return true;
    }
    const { next } = this.calendar;
    next[slot] = -1;
    const tail = this.tail[pool] as number;
    if (tail < 0) this.head[pool] = slot;
    else next[tail] = slot;
    this.tail[pool] = slot;
    return false;
  }

  /** A connection is free again. @returns the message that takes it; −1 for none */
  release(pool: number): number {
    const slot = this.head[pool] as number;
    if (slot < 0) {
      (this.busy[pool] as number)--;
      return -1;
    }
    const next = this.calendar.next[slot] as number;
    this.head[pool] = next;
    if (next < 0) this.tail[pool] = -1;
    return slot;
  }

  /** All connections of the pool end. @param drop called with each waiting message */
  reset(pool: number, drop: (slot: number) => void): void {
    for (let slot = this.head[pool] as number; slot >= 0; ) {
      const next = this.calendar.next[slot] as number;
      drop(slot);
      slot = next;
    }
    this.busy[pool] = 0;
    this.head[pool] = -1;
    this.tail[pool] = -1;
  }

  /** Removes a waiting message. @returns whether it waited: its slot is free then */
  remove(pool: number, turn: number): boolean {
    const { next, turn: turns } = this.calendar;
    let before = -1;
    for (let slot = this.head[pool] as number; slot >= 0; slot = next[slot] as number) {
      if (turns[slot] === turn) {
        const after = next[slot] as number;
        if (before < 0) this.head[pool] = after;
        else next[before] = after;
        if (after < 0) this.tail[pool] = before;
        this.calendar.release(slot);
        return true;
      }
      before = slot;
    }
    return false;
  }
}
