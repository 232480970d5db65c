import type { RoleTimeline, Sample } from '@topo-bench/core';
import { type CellTimeline, cellTimeline as schema } from '@topo-bench/core/schema/result';
import { describe, expect, it } from 'vitest';
import { cellTimeline, storedTimeline, type TimelineSources } from '../../src/timeline/cell-timeline.ts';

const startAtUs = 7e9;

/** A role that read its figures every 300 ms from 100 ms before the load, busy for `share` of the time. */
function role(name: string, kind: string, share: number, more: Partial<RoleTimeline> = {}): RoleTimeline {
  const endUs = Array.from({ length: 8 }, (_, at) => startAtUs - 100_000 + (at + 1) * 300_000);
  return {
    name,
    kind,
    isHere: true,
    clockErrorUs: 3,
    startUs: startAtUs - 100_000,
    endUs,
    cpuUs: endUs.map(() => share * 300_000),
    busyUs: endUs.map(() => share * 300_000),
    delayUs: endUs.map((_, at) => at * 1000),
    events: [],
    ...more,
  };
}

function sample(intendedUs: number, sentUs: number): Sample {
  return { intendedUs, sentUs, doneUs: sentUs + 5000 } as Sample;
}

function build(sources: Partial<TimelineSources>) {
  return cellTimeline({
    startAtUs,
    durationUs: 2e6,
    roles: [],
    generators: [],
    generatorsAreHere: true,
    host: undefined,
    samples: [],
    ...sources,
  });
}

const even = (share: number, count: number, factor = 1) => Array.from({ length: count }, () => share * factor);

describe('the timeline of a repetition', () => {
  it('adds the CPU of the processes of a role, and takes the busiest event loop', () => {
    const timeline = build({
      roles: [role('a', 'service', 0.2), role('b', 'service', 0.5), role('gateway', 'gateway', 0.1)],
    });
    expect(timeline?.intervalMs).toBe(250);
    expect(timeline?.roles.service?.cpuPercent).toEqual(even(70, 8));
    expect(timeline?.roles.service?.busyShare).toEqual(even(0.5, 8));
    expect(timeline?.roles.gateway?.cpuPercent).toEqual(even(10, 8));
    // The first interval of 250 ms overlaps the first two of the role, the last one the seventh alone.
    expect(timeline?.roles.gateway?.delayMs).toEqual([1, 1, 2, 3, 4, 5, 6, 6]);
    expect(schema.safeParse(JSON.parse(JSON.stringify(timeline))).success).toBe(true);
    expect(timeline?.clockErrorMs).toBe(0.003);
  });

  it('has no figure for an interval that is not covered, instead of 0', () => {
    const late = role('b', 'service', 0.5, {
      startUs: startAtUs + 1e6,
      endUs: [startAtUs + 2e6],
      cpuUs: [5e5],
      busyUs: [5e5],
      delayUs: [0],
    });
    const { cpuPercent, busyShare } = build({ roles: [role('a', 'service', 0.2), late] })?.roles.service ?? {};
    expect(cpuPercent).toEqual([...even(Number.NaN, 4).map(() => null), ...even(70, 4)]);
    expect(busyShare?.slice(3, 5)).toEqual([null, 0.5]);
  });

  it('uses longer intervals for longer loads', () => {
    for (const [seconds, ms] of [
      [30, 250],
      [60, 500],
      [300, 1000],
    ] as const) {
      expect(build({ roles: [role('a', 'service', 1)], durationUs: seconds * 1e6 })?.intervalMs).toBe(ms);
    }
  });

  it('shows cells that take turns by whole turns, with the use of their own', () => {
    const roles = [role('a', 'service', 0.2)];
    const timeline = build({ roles, turns: { periodUs: 1e6, levels: 3 } });
    expect(timeline?.intervalMs).toBe(1000);
    expect(timeline?.roles.service?.cpuPercent).toEqual([60, 60]);
  });

  it('dates events by the start of the load, and leaves out what was before or after', () => {
    const at = (ms: number, durationMs: number) => ({
      kind: 'busy' as const,
      startUs: startAtUs + ms * 1e3,
      durationUs: durationMs * 1e3,
    });
    const { events, eventsLeftOut } =
      build({
        roles: [role('a', 'service', 0.2, { events: [at(-50, 10), at(1200, 40), at(100, 30), at(2100, 10)] })],
        samples: [sample(1_999_000, 1_999_000)],
      }) ?? {};
    expect(events).toEqual([
      { role: 'a', kind: 'busy', atMs: 100, durationMs: 30 },
      { role: 'a', kind: 'busy', atMs: 1200, durationMs: 40 },
    ]);
    expect(eventsLeftOut).toBeUndefined();
  });

  it('has all events, of which the longest are stored', () => {
    const events = Array.from({ length: 400 }, (_, i) => ({
      kind: 'minor-collection' as const,
      startUs: startAtUs + i * 1000,
      durationUs: 1000 + 10 * i,
    }));
    const timeline = build({ roles: [role('a', 'service', 0.2, { events })] }) as CellTimeline;
    expect([timeline.events.length, timeline.eventsLeftOut]).toEqual([400, undefined]);
    const stored = storedTimeline(timeline);
    expect([stored.events.length, stored.eventsLeftOut]).toEqual([300, 100]);
    expect(stored.events[0]?.atMs).toBe(100);
    expect(storedTimeline(stored)).toBe(stored);
  });

  it('has the events of a load of many requests', () => {
    const many = Array.from({ length: 200_000 }, (_, i) => sample(i * 10, i * 10));
    const event = { kind: 'busy' as const, startUs: startAtUs + 2_002_000, durationUs: 10_000 };
    const timeline = build({ roles: [role('a', 'service', 0.2, { events: [event] })], samples: many });
    expect(timeline?.events).toHaveLength(1);
  });

  it('subtracts all processes of the measurement from those of the host', () => {
    const endUs = Array.from({ length: 8 }, (_, at) => startAtUs + (at + 1) * 250_000);
    // Two cores for 250 ms: 70% busy, of which programs take 300 ms.
    const host = {
      startUs: startAtUs,
      endUs,
      totalUs: even(500_000, 8),
      busyUs: even(350_000, 8),
      programsUs: even(300_000, 8),
      ownUs: even(10_000, 8),
    };
    const generator = {
      startUs: 0,
      endUs: endUs.map((us) => us - startAtUs),
      cpuUs: even(50_000, 8),
      busyUs: even(1000, 8),
    };
    const sources = { roles: [role('a', 'service', 0.4)], host, generators: [generator] };
    // 300 − 10 − 50 − 100 = 140 of 500 ms.
    expect(build(sources)?.host).toEqual({ busyPercent: even(70, 8), foreignPercent: even(28, 8) });
    expect(build({ ...sources, otherRoles: [role('b', 'service', 0.4)] })?.host?.foreignPercent).toEqual(even(8, 8));
    expect(build({ ...sources, generatorsAreHere: false })?.host?.foreignPercent).toEqual(even(38, 8));
    // The use of a user-supplied service is unknown here.
    expect(build({ ...sources, otherRoles: [role('c', 'carrier', 0)] })?.host).toEqual({ busyPercent: even(70, 8) });
    const elsewhere = role('a', 'service', 0.4, { isHere: false });
    expect(build({ ...sources, roles: [elsewhere] })?.host?.foreignPercent).toEqual(even(48, 8));
  });

  it('shows how late the generator sent in each interval', () => {
    const generator = { startUs: 0, endUs: [2e6], cpuUs: [2e5], busyUs: [1e5] };
    const samples = [sample(10_000, 10_040), sample(20_000, 23_000), sample(1_990_000, 1_990_010)];
    const { generator: series } =
      build({ roles: [role('a', 'service', 0.2)], generators: [generator], samples })?.roles ?? {};
    expect(series?.cpuPercent).toEqual(even(10, 8));
    expect(series?.delayMs).toEqual([3, null, null, null, null, null, null, 0.01]);
  });

  it('is absent where no role has recorded anything', () => {
    expect(build({})).toBeUndefined();
    expect(
      build({ roles: [role('a', 'service', 0, { endUs: [], cpuUs: [], busyUs: [], delayUs: [] })] }),
    ).toBeUndefined();
  });
});
