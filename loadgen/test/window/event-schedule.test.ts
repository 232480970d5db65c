/** When events are applied, and what is recorded of them, on a clock that a test moves. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LoadEvent } from '@topo-bench/trial';
import { describe, expect, it } from 'vitest';
import { EventSchedule } from '../../src/window/event-schedule.ts';

const startAtUs = 5_000_000;
const durationUs = 1000;

/** Time passes in `advance` only; by its end, all that was due has happened. */
class MovedClock {
  #nowUs = startAtUs;
  readonly #sleepers = new Set<{ atUs: number; wake: () => void }>();

  nowUs = (): number => this.#nowUs;

  sleepUntil = (atUs: number, signal?: AbortSignal): Promise<void> => {
    if (atUs <= this.#nowUs) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const sleeper = { atUs, wake: resolve };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', () => {
        this.#sleepers.delete(sleeper);
        reject(signal.reason);
      });
    });
  };

  get sleepers(): number {
    return this.#sleepers.size;
  }

  /** @param stepUs how late sleepers may wake */
  async advance(us: number, stepUs = 1): Promise<void> {
    for (const endUs = this.#nowUs + us; this.#nowUs < endUs; ) {
      this.#nowUs = Math.min(endUs, this.#nowUs + stepUs);
      for (const sleeper of this.#sleepers) {
        if (sleeper.atUs > this.#nowUs) continue;
        this.#sleepers.delete(sleeper);
        sleeper.wake();
      }
      await nextTurn();
    }
  }
}

function scheduled(events: (clock: MovedClock) => LoadEvent[], signal?: AbortSignal) {
  const clock = new MovedClock();
  const schedule = new EventSchedule(events(clock), { durationUs, clock, signal });
  return { clock, schedule };
}

const taking = (clock: MovedClock, us: number) => (signal: AbortSignal) => clock.sleepUntil(clock.nowUs() + us, signal);

describe('events on the clock of a load', () => {
  it('are requested at their times, whatever their order, and one does not wait for another', async () => {
    const { clock, schedule } = scheduled((clock) => [
      { atUs: 300, name: 'restart', apply: taking(clock, 50) },
      { atUs: 100, name: 'crash', apply: taking(clock, 700) },
      { atUs: 0, name: 'rules', apply: taking(clock, 0) },
    ]);
    await clock.advance(20);
    expect(schedule.records.map(({ outcome }) => outcome)).toEqual(['skipped', 'skipped', 'skipped']);
    // The load began 20 µs ago, and the message arrives only now.
    schedule.start(startAtUs);
    await nextTurn();
    await clock.advance(900);
    expect(schedule.records).toEqual([
      { atUs: 300, name: 'restart', outcome: 'effective', requestedUs: 300, effectiveUs: 350 },
      { atUs: 100, name: 'crash', outcome: 'effective', requestedUs: 100, effectiveUs: 800 },
      { atUs: 0, name: 'rules', outcome: 'effective', requestedUs: 20, effectiveUs: 20 },
    ]);
  });

  it('of one time keep their order', async () => {
    const order: string[] = [];
    const names = ['a', 'b', 'c', 'd'];
    const { clock, schedule } = scheduled(() =>
      names.map((name) => ({ atUs: 10, name, apply: async () => void order.push(name) })),
    );
    schedule.start(startAtUs);
    await clock.advance(10);
    expect(order).toEqual(names);
  });

  it('never begin before the load, nor after its end when the process was busy', async () => {
    const applied: number[] = [];
    const { clock, schedule } = scheduled((clock) =>
      [0, 10, 500, 999].map((atUs) => ({
        ...{ atUs, name: '' },
        apply: async () => void applied.push(clock.nowUs() - startAtUs),
      })),
    );
    // The start is announced before its instant.
    schedule.start(startAtUs + 200);
    await clock.advance(199);
    expect(applied).toEqual([]);
    await clock.advance(300);
    expect(applied).toEqual([200, 210]);
    // No timer fires until after the end of the load, which its own timer has not reported yet either.
    await clock.advance(2000, 2000);
    expect(applied).toEqual([200, 210]);
    expect(schedule.records.map(({ outcome }) => outcome)).toEqual(['effective', 'effective', 'skipped', 'skipped']);
  });

  it('in progress at the end of the load may take effect in the drain, and are aborted at its end', async () => {
    const { clock, schedule } = scheduled((clock) => [
      { atUs: 900, name: 'quick', apply: taking(clock, 150) },
      { atUs: 900, name: 'slow', apply: taking(clock, 5000) },
      // Ignores the signal.
      { atUs: 900, name: 'deaf', apply: () => taking(clock, 300)(new AbortController().signal) },
      { atUs: 950, name: 'late', apply: taking(clock, 1) },
    ]);
    schedule.start(startAtUs);
    await clock.advance(920);
    schedule.endLoad();
    await clock.advance(180);
    schedule.close();
    await clock.advance(500);
    expect(schedule.records).toEqual([
      { atUs: 900, name: 'quick', outcome: 'effective', requestedUs: 900, effectiveUs: 1050 },
      { atUs: 900, name: 'slow', outcome: 'unfinished', requestedUs: 900 },
      { atUs: 900, name: 'deaf', outcome: 'unfinished', requestedUs: 900 },
      { atUs: 950, name: 'late', outcome: 'skipped' },
    ]);
    expect(clock.sleepers).toBe(0);
  });

  it('that fail are recorded with their error, also one that throws at once or no error', async () => {
    const { clock, schedule } = scheduled((clock) => [
      {
        atUs: 1,
        name: 'later',
        apply: () => taking(clock, 9)(new AbortController().signal).then(() => Promise.reject('no pod')),
      },
      {
        ...{ atUs: 2, name: 'at once' },
        apply: () => {
          throw new TypeError('no role');
        },
      },
      { atUs: 3, name: 'after it', apply: taking(clock, 0) },
    ]);
    schedule.start(startAtUs);
    await clock.advance(20);
    expect(schedule.records).toEqual([
      { atUs: 1, name: 'later', outcome: 'failed', requestedUs: 1, failedUs: 10, error: new Error('no pod') },
      { atUs: 2, name: 'at once', outcome: 'failed', requestedUs: 2, failedUs: 2, error: new TypeError('no role') },
      { atUs: 3, name: 'after it', outcome: 'effective', requestedUs: 3, effectiveUs: 3 },
    ]);
  });

  it('stop with the run: none begins after the abort, and those in progress see it', async () => {
    const run = new AbortController();
    let seen: unknown;
    const { clock, schedule } = scheduled(
      () => [
        {
          ...{ atUs: 1, name: 'in progress' },
          apply: (signal) => {
            signal.addEventListener('abort', () => {
              seen = signal.reason;
            });
            return new Promise(() => undefined);
          },
        },
        { atUs: 5, name: 'pending', apply: async () => undefined },
      ],
      run.signal,
    );
    schedule.start(startAtUs);
    await clock.advance(2);
    run.abort(new Error('interrupted'));
    await clock.advance(100);
    expect(seen).toEqual(new Error('interrupted'));
    expect(clock.sleepers).toBe(0);
    expect(schedule.records.map(({ outcome }) => outcome)).toEqual(['unfinished', 'skipped']);
  });
});
