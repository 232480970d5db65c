import type { HostClockReading, OwnRoleTimeline } from '@topo-bench/core';
import { hostClock, hostClockName } from '@topo-bench/host';
import { expect, it } from 'vitest';
import { alignedTimeline } from '../src/aligned-timeline.ts';

/** A role with a clock that is `offsetUs` ahead of this one, and which answers after a delay. */
function roleOn(clock: string, offsetUs: number) {
  const reading = (): HostClockReading => ({ clock, errorUs: 1, nowUs: hostClock.nowUs() + offsetUs });
  const atUs = hostClock.nowUs();
  const timeline = (): OwnRoleTimeline => ({
    name: 'svc-1',
    kind: 'service',
    startUs: atUs + offsetUs,
    endUs: [atUs + offsetUs + 250_000],
    cpuUs: [100],
    busyUs: [100],
    events: [{ kind: 'busy', startUs: atUs + offsetUs + 5000, durationUs: 20_000 }],
    reading: reading(),
  });
  const asked: string[] = [];
  const ask = async <Answer>(path: string): Promise<Answer> => {
    asked.push(path);
    await new Promise((resolve) => setTimeout(resolve, 1));
    return (path === '/control/clock' ? reading() : timeline()) as Answer;
  };
  return { ask, asked, atUs };
}

it('takes the times of a role on the same clock as they are', async () => {
  const { ask, asked, atUs } = roleOn(hostClockName(), 0);
  const timeline = await alignedTimeline(ask);
  expect(timeline).toMatchObject({ name: 'svc-1', isHere: true, startUs: atUs, endUs: [atUs + 250_000] });
  expect(timeline.clockErrorUs).toBeLessThan(1000);
  expect(asked).toEqual(['/control/timeline']);
  expect(timeline).not.toHaveProperty('reading');
});

it('moves the times of a role on another clock to ours, within the stated error', async () => {
  for (const offsetUs of [-3e9, 40_000]) {
    const { ask, atUs } = roleOn('another boot', offsetUs);
    const { isHere, startUs, endUs, events, clockErrorUs } = await alignedTimeline(ask);
    expect(isHere).toBe(false);
    for (const [found, right] of [
      [startUs, atUs],
      [endUs[0], atUs + 250_000],
      [events[0]?.startUs, atUs + 5000],
    ] as [number, number][]) {
      expect(Math.abs(found - right)).toBeLessThanOrEqual(clockErrorUs);
    }
    expect(clockErrorUs).toBeLessThan(100_000);
  }
});
