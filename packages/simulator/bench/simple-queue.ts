/** M/M/1 on the calendar of the engine and nothing else: what the calendar alone costs. */
import { randomStream } from '@topo-bench/core';
import { exponentialTable, tableSize } from '../src/engine/distributions.ts';
import { EventCalendar } from '../src/engine/event-calendar.ts';
import { UniformDraws } from '../src/engine/uniform-draws.ts';

const [arrival, departure] = [0, 1];

/** @returns mean time in the system, in mean service times, and the number of events */
export function simpleQueue(customers: number, utilisation: number, seed: number): { mean: number; events: number } {
  const random = new UniformDraws(randomStream(seed, 'simple-queue'));
  const draw = (): number => exponentialTable[(random.next() * tableSize) | 0] as number;
  const calendar = new EventCalendar();
  const arrivedAt = new Float64Array(customers);
  let [arrived, served, total] = [0, 0, 0];
  const schedule = (kind: number, after: number): void => {
    calendar.schedule(calendar.nowUs + after, calendar.take(kind, 0, 0, -1));
  };
  schedule(arrival as number, draw() / utilisation);
  while (served < customers) {
    const slot = calendar.pop();
    const kind = calendar.process[slot];
    calendar.release(slot);
    if (kind === arrival) {
      arrivedAt[arrived++] = calendar.nowUs;
      if (arrived < customers) schedule(arrival as number, draw() / utilisation);
      if (arrived - served === 1) schedule(departure as number, draw());
    } else {
      total += calendar.nowUs - (arrivedAt[served++] as number);
      if (arrived > served) schedule(departure as number, draw());
    }
  }
  return { mean: total / customers, events: calendar.count };
}
