/** Virtual time: events in the order of their times, and of their making where times are equal. */

/** An event that has not happened yet. */
export interface CalendarEvent {
  readonly atUs: number;
  readonly order: number;
  readonly happen: () => void;
  cancelled: boolean;
}

export class Calendar {
  nowUs = 0;
  /** A binary heap: the next event is at index 0. */
  private readonly heap: CalendarEvent[] = [];
  private nextOrder = 0;
  private readonly promised: Promise<void>[] = [];

  /** O(log n) for n pending events. @param delayUs 0 or more */
  after(delayUs: number, happen: () => void): CalendarEvent {
    const event = { atUs: this.nowUs + delayUs, order: this.nextOrder++, happen, cancelled: false };
    let at = this.heap.length;
    for (let parent = (at - 1) >> 1; at > 0 && isBefore(event, this.heap[parent] as CalendarEvent); ) {
      this.heap[at] = this.heap[parent] as CalendarEvent;
      at = parent;
      parent = (at - 1) >> 1;
    }
    this.heap[at] = event;
    return event;
  }

  /** Time stands still until the promise is settled. */
  hold(promise: Promise<void>): void {
    this.promised.push(promise);
  }

  /** Runs until no event is left. */
  async drain(): Promise<void> {
    do {
      while (this.promised.length > 0) await this.promised.pop();
    } while (this.step());
  }

  /** Time of the next event, +∞ without one. */
  get nextUs(): number {
    return this.heap[0]?.atUs ?? Number.POSITIVE_INFINITY;
  }

  /** The next event happens. @returns whether there was one */
  step(): boolean {
    const event = this.next();
    if (!event) return false;
    if (event.cancelled) return true;
    this.nowUs = event.atUs;
    event.happen();
    return true;
  }

  private next(): CalendarEvent | undefined {
    const { heap } = this;
    const [first] = heap;
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as CalendarEvent, heap[child] as CalendarEvent)) child++;
      if (!isBefore(heap[child] as CalendarEvent, last)) break;
      heap[at] = heap[child] as CalendarEvent;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(a: CalendarEvent, b: CalendarEvent): boolean {
  return a.atUs < b.atUs || (a.atUs === b.atUs && a.order < b.order);
}
