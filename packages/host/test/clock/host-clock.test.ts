import { execFileSync } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { hostClock, hostClockErrorUs, measureOrigin } from '../../src/clock/host-clock.ts';

const systemUs = (): number => Number(process.hrtime.bigint()) / 1e3;

it('agrees with the system clock within its stated error', () => {
  const errorUs = hostClockErrorUs();
  for (let i = 0; i < 100; i++) {
    const [beforeUs, nowUs, afterUs] = [systemUs(), hostClock.nowUs(), systemUs()];
    // The margin is the rounding of doubles.
    expect(nowUs).toBeGreaterThan(beforeUs - errorUs - 0.01);
    expect(nowUs).toBeLessThan(afterUs + errorUs + 0.01);
  }
  expect(errorUs).toBeLessThan(50);
});

it('is one clock for threads and processes', async () => {
  const print = 'Number(process.hrtime.bigint()) / 1e3';
  const beforeUs = hostClock.nowUs();
  const inProcess = Number(execFileSync(process.execPath, ['-p', print], { encoding: 'utf8' }));
  const betweenUs = hostClock.nowUs();
  const thread = new Worker(`require('node:worker_threads').parentPort.postMessage(${print})`, { eval: true });
  const inThread = await new Promise<number>((resolve) => thread.once('message', resolve));
  const readings = [beforeUs, inProcess, betweenUs, inThread, hostClock.nowUs()];
  expect(readings).toEqual(readings.toSorted((a, b) => a - b));
});

it('bounds its origin by the thread readings before and after each system reading', () => {
  const trueOriginUs = 1_000_000;
  let realUs = 0;
  const steps = [9, 1, 40, 2, 3, 60, 5, 5, 8, 30, 1, 1, 7, 7, 20, 4, 6];
  // Every reading takes its own time.
  const read = (): number => {
    realUs += steps.shift() as number;
    return realUs;
  };
  const { us, errorUs } = measureOrigin(() => trueOriginUs + read(), read);
  // The narrowest pairs took 1 µs before a reading of the system and 1 µs after it.
  expect(errorUs).toBeLessThanOrEqual(1);
  expect(Math.abs(us - trueOriginUs)).toBeLessThanOrEqual(errorUs);
});
