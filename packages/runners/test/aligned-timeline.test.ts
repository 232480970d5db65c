import type { HostClockReading, OwnRoleTimeline, Span } from '@topo-bench/core';
import { hostClock, hostClockName } from '@topo-bench/host';
import { expect, it } from 'vitest';
import { alignedSpans, alignedTimeline } from '../src/aligned-timeline.ts';

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
  const spans: Span[] = [
    { id: 'r', role: 'svc-1', kind: 'work', service: 'svc-1', hop: 2, startUs: atUs + offsetUs, durationUs: 70 },
  ];
  const asked: string[] = [];
  const ask = async <Answer>(path: string): Promise<Answer> => {
    asked.push(path);
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (path === '/control/spans') return spans as Answer;
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

it('moves spans in the same way, and states the error of those of another clock', async () => {
  const here = roleOn(hostClockName(), 0);
  const [own] = await alignedSpans(here.ask);
  expect(own).toMatchObject({ startUs: here.atUs, durationUs: 70, hop: 2 });
  expect(own).not.toHaveProperty('clockErrorUs');
  expect(here.asked).toEqual(['/control/spans', '/control/clock']);
  const away = roleOn('another boot', -3e9);
  const [moved] = await alignedSpans(away.ask);
  expect(moved).toMatchObject({ durationUs: 70, hop: 2 });
  expect(Math.abs((moved?.startUs ?? Number.NaN) - away.atUs)).toBeLessThanOrEqual(moved?.clockErrorUs ?? 0);
  expect(moved?.clockErrorUs).toBeLessThan(100_000);
  expect(await alignedSpans(async () => [] as never)).toEqual([]);
});
