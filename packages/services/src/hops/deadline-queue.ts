/**
 * Waits that end at absolute times of the monotonic clock: never early, and on a quiet host less than 1 ms late. All waits of
 * a process share one queue in order of their deadlines, so a wait does not depend on how many others overlap with it.
 */
import type { Clock } from '@topo-bench/core/clock';

// Timers count in ms. One timer wakes up to this much before the first deadline or up to 1 ms minus this after it. The rest
// passes in turns of the event loop, which serve I/O as usual but use the processor: at most half of this per wait on average.
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

  /** Waits for at least that many µs. Ends in the order of the deadlines. O(log n) for n waits under way. */
  sleep(us: number): Promise<void> {
    const dueUs = this.clock.nowUs() + us;
    return new Promise((end) => {
      push(this.heap, { dueUs, order: this.nextOrder++, end });
      this.arm();
    });
  }

  /** Makes sure that something wakes up for the first deadline. */
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

/** Takes the first wait out of a heap that is not empty. */
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
