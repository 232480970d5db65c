import { expect, it } from 'vitest';
import { signalAll, signalled, stopped } from '../../src/open/pacer-thread.ts';

it('the helper thread signals each time once it has passed, also those a few milliseconds apart', () => {
  const flags = new Int32Array(new SharedArrayBuffer(8));
  const times = Float64Array.of(0, 300, 4900, 9800, 9810);
  // Each reading takes 50 µs, so that the last two times pass in one.
  let nowUs = 0;
  const clock = { nowUs: () => (nowUs += 50) };
  const signals: number[] = [];
  const signal = (): void => {
    signals.push(nowUs - 1000);
    flags[signalled] = 0;
    if (nowUs - 1000 >= 9800) flags[stopped] = 1;
  };
  signalAll(times, 1000, flags, signal, clock);
  expect(signals).toHaveLength(4);
  for (const [at, us] of [0, 300, 4900, 9810].entries()) {
    expect(signals[at]).toBeGreaterThanOrEqual(us);
    expect(signals[at]).toBeLessThan(us + 100);
  }
});
