/**
 * Waits until absolute times of the monotonic clock: never early, and less than 1 ms late on an idle host. All waits of
 * a process share one queue, ordered by deadline. The accuracy of a wait does not depend on how many others overlap it.
 */
import type { Clock } from '@topo-bench/core';

// Timers count in ms. The timer fires between this much before the first deadline and 1 ms minus this after it. The
// rest passes in event loop turns, which serve I/O as usual but use the processor: on average at most half of this per
// wait.
const earlyUs = 500;

interface Wait {
  readonly dueUs: number;
  /** Order of arrival, for equal deadlines. */
  readonly order: number;
  readonly end: () => void;
}

export class DeadlineQueue {
  /** A binary heap: the first wait to end is at index 0. */
  private readonly heap: Wait[] = [];
  private nextOrder = 0;
  private timer: NodeJS.Timeout | undefined;
  private timerDueUs = Number.POSITIVE_INFINITY;
  private turning = false;

  constructor(private readonly clock: Clock) {}

  /** Waits for at least `us`. Waits end in order of their deadlines. O(log n) for n pending waits. */
  sleep(us: number): Promise<void> {
    const dueUs = this.clock.nowUs() + us;
    return new Promise((end) => {
      push(this.heap, { dueUs, order: this.nextOrder++, end });
      this.arm();
    });
  }

  /** Schedules a wake-up for the first deadline. */
  private arm(): void {
    const [first] = this.heap;
    if (!first || this.turning) return;
    const leftUs = first.dueUs - this.clock.nowUs();
    if (leftUs <= earlyUs) {
      this.turning = true;
      setImmediate(this.turn);
      return;
    }
    if (this.timerDueUs <= first.dueUs) return;
    clearTimeout(this.timer);
    this.timerDueUs = first.dueUs;
    this.timer = setTimeout(this.wake, Math.ceil((leftUs - earlyUs) / 1000));
  }

  private readonly wake = (): void => {
    this.timer = undefined;
    this.timerDueUs = Number.POSITIVE_INFINITY;
    this.endDue();
  };

  private readonly turn = (): void => {
    this.turning = false;
    this.endDue();
  };

  private endDue(): void {
    const nowUs = this.clock.nowUs();
    while (this.heap[0] && this.heap[0].dueUs <= nowUs) pop(this.heap).end();
    this.arm();
  }
}

function isBefore(a: Wait, b: Wait): boolean {
  return a.dueUs < b.dueUs || (a.dueUs === b.dueUs && a.order < b.order);
}

function push(heap: Wait[], wait: Wait): void {
  let at = heap.length;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent] as Wait;
    if (!isBefore(wait, above)) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = wait;
}

/** Removes and returns the first wait of a non-empty heap. */
function pop(heap: Wait[]): Wait {
  const first = heap[0] as Wait;
  const last = heap.pop() as Wait;
  if (heap.length === 0) return first;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1] as Wait, heap[child] as Wait)) child++;
    const below = heap[child] as Wait;
    if (!isBefore(below, last)) break;
    heap[at] = below;
    at = child;
  }
  heap[at] = last;
  return first;
}
