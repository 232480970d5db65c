import { describe, expect, it } from 'vitest';
import { alignClock } from '../../src/generator/clock-alignment.ts';

/** A coordinator and a generator on a simulated line: every exchange takes the next two delays, in µs. */
function simulated(aheadUs: number, delays: () => [there: number, back: number], theirClock = 'theirs') {
  let realUs = 1e9;
  const ours = { nowUs: () => realUs, errorUs: 0.5, clock: 'ours' };
  const readTheirs = async () => {
    const [there, back] = delays();
    realUs += there;
    const reading = { nowUs: realUs + aheadUs, errorUs: 0.25, clock: theirClock };
    realUs += back;
    return reading;
  };
  return alignClock(ours, readTheirs);
}

/** Slow exchanges, with one quick one among them. */
function mostlySlow(): () => [number, number] {
  let exchange = 0;
  return () => (++exchange === 7 ? [30, 50] : [400 + 13 * exchange, 900 - 20 * exchange]);
}

describe('the offset of a clock', () => {
  it('is bounded by the fastest exchange in each direction', async () => {
    const { us, errorUs } = await simulated(7.2e9, mostlySlow());
    expect(errorUs).toBeLessThanOrEqual(40.75);
    expect(Math.abs(us - 7.2e9)).toBeLessThanOrEqual(errorUs);
  });

  it('is within the stated error when one direction is always slower', async () => {
    const { us, errorUs } = await simulated(-5e6, () => [10, 2000]);
    expect(Math.abs(us + 5e6)).toBeLessThanOrEqual(errorUs);
  });

  it('is exactly 0 when both sides name the same clock', async () => {
    expect(await simulated(0, mostlySlow(), 'ours')).toEqual({ us: 0, errorUs: 0.75 });
  });

  it('is measured when both sides name the same clock, but readings contradict it', async () => {
    const { us, errorUs } = await simulated(1e6, mostlySlow(), 'ours');
    expect(Math.abs(us - 1e6)).toBeLessThanOrEqual(errorUs);
  });
});
