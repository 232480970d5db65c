import { randomStream, type Sample } from '@topo-bench/core';
import { type CellTimeline, type CellTimelineEvent, slowRequests as schema } from '@topo-bench/core/schema/result';
import { describe, expect, it } from 'vitest';
import { slowRequests } from '../../src/timeline/slow-requests.ts';

/** 1,000 requests in 10 s; their times are 20 ms ± 4 ms, and more as `extraMs` returns by due time in ms. */
function samples(extraMs: (dueMs: number) => number = () => 0, lagMs: (dueMs: number) => number = () => 0): Sample[] {
  const random = randomStream(7, 'episodes');
  return Array.from({ length: 1000 }, (_, i) => {
    const dueMs = i * 10;
    const ms = 16 + 8 * random.uniform() + extraMs(dueMs);
    const intendedUs = dueMs * 1e3;
    return {
      class: 'plain',
      intendedUs,
      sentUs: intendedUs + lagMs(dueMs) * 1e3,
      doneUs: intendedUs + ms * 1e3,
      outcome: 'completed',
    } as Sample;
  });
}

/** A stall of everything: requests that are due in it wait until its end. */
const stall = (fromMs: number, toMs: number) => (dueMs: number) => (dueMs >= fromMs && dueMs < toMs ? toMs - dueMs : 0);

function timeline(events: CellTimelineEvent[], more: Partial<CellTimeline> = {}): CellTimeline {
  return { intervalMs: 250, roles: {}, events, clockErrorMs: 0, ...more };
}

const roleOf = (role: string) => ({ kind: role === 'gateway' ? 'gateway' : 'service', isHere: role !== 'elsewhere' });
const found = (all: Sample[], events?: CellTimelineEvent[], more?: Partial<CellTimeline>) =>
  slowRequests(all, events && timeline(events, more), roleOf);

describe('slow requests', () => {
  it('are none in even times, and no episode where they are rare and alone', () => {
    expect(found(samples())).toMatchObject({ count: 0, episodes: [] });
    // One of fifty requests takes 100 ms: 20 slow ones, none next to another.
    const alone = found(samples((dueMs) => (dueMs % 500 === 0 ? 100 : 0)));
    expect(alone).toMatchObject({ count: 20, episodes: [] });
  });

  it('that wait for one stall are one episode, from the first due one to the last answer', () => {
    const { limitsMs = {}, episodes = [] } = found(samples(stall(4000, 4150))) ?? {};
    // Quartiles of a uniform time from 16 to 24 ms are 18 and 22; twice the median is more than 22 + 3 × 4.
    expect(Object.keys(limitsMs)).toEqual(['plain']);
    expect(limitsMs.plain).toBeGreaterThan(38);
    expect(limitsMs.plain).toBeLessThan(42);
    expect(episodes).toHaveLength(1);
    const [{ startMs, endMs, requests, slowestMs, cause }] = episodes as [(typeof episodes)[0]];
    expect(startMs).toBe(4000);
    // Those of the last 20 ms of the stall are not slow enough.
    expect(requests).toBeGreaterThanOrEqual(12);
    expect(requests).toBeLessThanOrEqual(15);
    expect(endMs).toBeGreaterThan(4150 + 16);
    expect(endMs).toBeLessThan(4150 + 24 + 0.1);
    expect(slowestMs).toBeGreaterThan(166);
    expect(cause).toEqual({ kind: 'unknown' });
  });

  it('at two times are two episodes', () => {
    const twice = (dueMs: number) => stall(2000, 2120)(dueMs) + stall(7000, 7120)(dueMs);
    expect(found(samples(twice))?.episodes.map(({ startMs }) => startMs)).toEqual([2000, 7000]);
  });

  it('are no episode where most requests in between were fast', () => {
    const third = found(samples((dueMs) => (dueMs >= 3000 && dueMs < 3300 && dueMs % 30 === 0 ? 100 : 0)));
    expect(third).toMatchObject({ count: 10, episodes: [] });
  });

  it('of one stall are one episode, also where an independent one follows soon', () => {
    const both = (dueMs: number) => stall(4000, 4150)(dueMs) + (dueMs === 4210 ? 100 : 0);
    const episodes = found(samples(both))?.episodes ?? [];
    expect(episodes.map(({ startMs }) => startMs)).toEqual([4000]);
    const rare = (dueMs: number) => stall(4000, 4030 + 30)(dueMs) * 3 + (dueMs === 4200 ? 100 : 0);
    expect(found(samples(rare))?.episodes.map(({ startMs }) => startMs)).toEqual([4000]);
  });

  it('that never finished belong to an episode, and its slowest has no time', () => {
    const all = samples(stall(4000, 4150)).map((sample, i) =>
      i >= 400 && i < 405 ? { ...sample, doneUs: null, outcome: 'unfinished' as const } : sample,
    );
    const [episode] = found(all)?.episodes ?? [];
    expect(episode).toMatchObject({ startMs: 4000, slowestMs: null });
  });

  it('of a class are above the limit of that class: one with a longer path is not slow as such', () => {
    // Five in a row of every hundred take 100 ms more, by their class.
    const ofClass = (extraMs: (dueMs: number) => number) =>
      samples((dueMs) => (dueMs % 1000 < 50 ? 100 : 0) + extraMs(dueMs)).map((sample) => {
        return sample.intendedUs % 1e6 < 50_000 ? { ...sample, class: 'long' } : sample;
      });
    const { limitsMs = {}, ...even } = found(ofClass(() => 0)) ?? {};
    expect(even).toEqual({ count: 0, episodes: [] });
    expect(limitsMs.plain).toBeLessThan(42);
    expect(limitsMs.long).toBeGreaterThan(200);
    // A stall delays both.
    const [episode, ...others] = found(ofClass(stall(3900, 4200)))?.episodes ?? [];
    expect(others).toEqual([]);
    expect(episode?.startMs).toBe(3900);
    expect(episode?.requests).toBeGreaterThan(20);
  });

  it('are not sought in a class of few requests, which has no reliable limit', () => {
    const rare = samples((dueMs) => (dueMs >= 4000 && dueMs < 4150 ? 100 : 0)).map((sample) =>
      sample.intendedUs >= 4e6 && sample.intendedUs < 4.15e6 ? { ...sample, class: 'rare' } : sample,
    );
    expect(found(rare)).toMatchObject({ count: 0, episodes: [] });
    expect(Object.keys(found(rare)?.limitsMs ?? {})).toEqual(['plain']);
  });

  it('are undefined for few requests, and where a quarter never finished', () => {
    expect(found(samples().slice(0, 19))).toBeUndefined();
    const lost = samples().map((sample, i) =>
      i % 3 === 0 ? { ...sample, doneUs: null, outcome: 'unfinished' as const } : sample,
    );
    expect(found(lost)).toBeUndefined();
  });

  it('are those of completed requests: refusals take a shorter path', () => {
    const half = samples().map((sample, i) =>
      i % 2 === 0 ? { ...sample, doneUs: sample.intendedUs + 1000, outcome: 'refused' as const } : sample,
    );
    expect(found(half)).toMatchObject({ count: 0 });
  });
});

describe('the cause of an episode', () => {
  const slow = samples(stall(4000, 4150));
  const event = (
    kind: CellTimelineEvent['kind'],
    atMs: number,
    durationMs: number,
    role = 'svc-1',
  ): CellTimelineEvent => ({
    role,
    kind,
    atMs,
    durationMs,
  });
  const cause = (events: CellTimelineEvent[], more?: Partial<CellTimeline>) =>
    found(slow, events, more)?.episodes[0]?.cause;

  it('is a busy event loop, with its role and its length', () => {
    expect(cause([event('busy', 4001, 148)])).toEqual({ kind: 'event-loop', role: 'svc-1', durationMs: 148 });
  });

  it('is a garbage collection, also where a stall of the same role contains it', () => {
    expect(cause([event('busy', 3990, 150), event('major-collection', 4005, 120)])).toEqual({
      kind: 'collection',
      role: 'svc-1',
      durationMs: 120,
    });
    // A short collection within a long stall is not its reason.
    expect(cause([event('busy', 4001, 140), event('minor-collection', 4005, 8)])?.kind).toBe('event-loop');
  });

  it('is unknown where nothing was recorded at that time, or nothing that lasted long enough', () => {
    expect(cause([event('busy', 3000, 150), event('busy', 4500, 150)])).toEqual({ kind: 'unknown' });
    expect(cause([event('busy', 4010, 30)])).toEqual({ kind: 'unknown' });
    expect(found(slow)?.episodes[0]?.cause).toEqual({ kind: 'unknown' });
  });

  it('is sought while the slowest request was in progress, and not in the rest of the episode', () => {
    // Ten waits of 10 ms within an episode of 500 ms, of which the slowest request meets two.
    const long = samples((dueMs) => (dueMs >= 4000 && dueMs < 4500 ? 60 : 0));
    const waits = Array.from({ length: 10 }, (_, at) => event('waiting', 4000 + at * 50, 10));
    expect(found(long, waits)?.episodes[0]?.cause).toEqual({ kind: 'unknown' });
  });

  it('is that of the longest delay, compared with the median of its class', () => {
    // The slowest requests belong to a class that takes 300 ms; the stall delays the others by more.
    const mixed = samples((dueMs) => (dueMs % 100 === 0 ? 300 : stall(4000, 4150)(dueMs))).map((sample) =>
      sample.intendedUs % 100_000 === 0 ? { ...sample, class: 'long' } : sample,
    );
    const [episode] = found(mixed, [event('busy', 4011, 139)])?.episodes ?? [];
    expect(episode?.cause).toEqual({ kind: 'event-loop', role: 'svc-1', durationMs: 139 });
  });

  it('adds the events of one kind in one role, and no others', () => {
    const halves = [event('busy', 4005, 45), event('busy', 4060, 45)];
    expect(cause(halves)).toEqual({ kind: 'event-loop', role: 'svc-1', durationMs: 90 });
    expect(cause([halves[0]!, { ...halves[1]!, role: 'svc-2' }])).toEqual({ kind: 'unknown' });
  });

  it('is foreign load where other programs had the processors of the host of the role', () => {
    const waits = [event('waiting', 4000, 120)];
    const host = (foreign: number) => ({
      host: { busyPercent: [100], foreignPercent: Array.from({ length: 40 }, (_, at) => (at === 16 ? foreign : 0)) },
    });
    expect(cause(waits, host(40))).toEqual({ kind: 'foreign-load', role: 'svc-1', durationMs: 120 });
    expect(cause(waits, host(5))?.kind).toBe('processors');
    expect(cause([event('waiting', 4000, 120, 'elsewhere')], host(40))?.kind).toBe('processors');
    expect(cause(waits)?.kind).toBe('processors');
  });

  it('takes a wait for a processor at any moment of the time in which it lies', () => {
    expect(cause([{ ...event('waiting', 3970, 100), withinMs: 140 }])?.kind).toBe('processors');
    expect(cause([{ ...event('waiting', 3850, 100), withinMs: 140 }])?.kind).toBe('unknown');
  });

  it('is the limit on CPU time where that stopped the kind of role', () => {
    const throttledMs = Array.from({ length: 40 }, (_, at) => (at === 16 ? 80 : 0));
    const roles = { service: { cpuPercent: [], busyShare: [], throttledMs } };
    for (const kind of ['waiting', 'stopped'] as const)
      expect(cause([event(kind, 4000, 120)], { roles })?.kind).toBe('cpu-limit');
    // 80 ms of a limit do not explain 170 ms.
    expect(cause([event('stopped', 3970, 200)], { roles })?.kind).toBe('stopped');
    expect(cause([event('stopped', 4000, 120, 'gateway')], { roles })?.kind).toBe('stopped');
  });

  it('is the generator where the requests left late, whatever else was recorded', () => {
    const late = samples(stall(4000, 4150), stall(4000, 4150));
    expect(found(late, [event('busy', 4000, 150)])?.episodes[0]?.cause).toEqual({
      kind: 'late-generator',
      durationMs: 150,
    });
  });

  it('is within the schema', () => {
    expect(schema.safeParse(found(slow, [event('busy', 4000, 150)])).success).toBe(true);
  });
});
