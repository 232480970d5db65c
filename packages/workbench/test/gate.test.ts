import { join } from 'node:path';
import { openRun } from '@topo-bench/results';
import type { ExperimentCell } from '@topo-bench/trial';
import { describe, expect, it } from 'vitest';
import { program } from '../../comparison/test/fixtures/cpu-profiles.ts';
import type { FakeOptions } from '../../experiment/test/fixtures/fake-backend.ts';
import type { ProfileWhen } from '../src/gate/index.ts';
import { open } from '../src/index.ts';
import { onFake, shop, withText } from './fixtures/shop.ts';

/** Pairs differ by a few per mille, so a few of them are enough. */
const timesOf = (slower: number) => ({
  timesUs: ({ side }: ExperimentCell, repetition: number) => [
    10_000 * (1 + 0.003 * Math.sin(7 * repetition)) * (side === 'candidate' ? slower : 1),
  ],
});
const sides = { baseline: {}, candidate: { set: { 'deadlines.hop': '9s' } }, thresholds: ['rtt.median < +5%'] };

async function gate(options: FakeOptions, more: { signal?: AbortSignal; profile?: ProfileWhen } = {}) {
  const fake = onFake(options);
  const events: { kind: string }[] = [];
  const bench = await open(shop());
  const onEvent = (event: { kind: string }) => events.push(event);
  const judged = bench.gate(sides, { ...fake.setting, maxTimeUs: 60e6, onEvent, ...more });
  return { ...fake, events, judged };
}

describe('a gate', () => {
  it.each([
    [1, 'passed'],
    [1.2, 'failed'],
  ])('of a candidate %d times as slow has %s', async (slower, verdict) => {
    const { judged, events, openBeds, timesClosed, setting } = await gate(timesOf(slower));
    const { result, pairs, stopped, candidate, baseline, folder, notes } = await judged;
    expect([result.verdict, stopped?.reason, folder]).toEqual([verdict, 'enough pairs', setting.folder]);
    expect(result.notes).toEqual(expect.arrayContaining([...notes]));
    // Each pair has an event for each of the two cells, and each round one for its spread.
    expect(events.filter(({ kind }) => kind === 'pair')).toHaveLength(2 * pairs);
    expect(events.filter(({ kind }) => kind === 'pairs')).toHaveLength(pairs);
    expect([candidate.cells.length, baseline.cells.length]).toEqual([2 * pairs, 2 * pairs]);
    expect([openBeds(), timesClosed()]).toEqual([0, 1]);
  });

  it('changes the candidate alone, and names both sides', async () => {
    const pairing = await (await open(shop())).pair(sides);
    const hops = [pairing.sides.baseline, pairing.sides.candidate].map(({ cells }) => cells[0]?.graph.deadlines.hopUs);
    expect(hops[1]).toBe(9e6);
    expect(hops[0]).not.toBe(9e6);
    const named = { ...sides, candidate: { ...sides.candidate, name: 'short hops' } };
    const measured = await (await (await open(shop())).pair(named)).measure({ ...onFake().setting, maxTimeUs: 1 });
    expect(measured.candidate.record.sideBySide?.ref).toBe('short hops');
    expect(measured.baseline.record.sideBySide?.ref).toBe('the experiment as it stands');
  });

  it('makes its report of both sides in memory', async () => {
    const { judged } = await gate(timesOf(1));
    const measured = await judged;
    const { groups, runs } = await measured.report();
    expect(runs).toEqual([measured.baseline, measured.candidate]);
    expect(groups.map(({ valid }) => valid.length)).toEqual(Array(4).fill(measured.pairs));
  });

  it('that is cancelled keeps its pairs on both sides', async () => {
    const controller = new AbortController();
    let loads = 0;
    const onMeasure = () => ++loads === 5 && controller.abort();
    const { judged, openBeds, setting } = await gate({ ...timesOf(1), onMeasure }, { signal: controller.signal });
    await expect(judged).rejects.toMatchObject({ code: 'TB_INTERRUPTED' });
    const kept = await Promise.all(['baseline', 'candidate'].map((side) => openRun(join(setting.folder, side))));
    expect(kept.map(({ record, cells }) => [record.status, cells.length])).toEqual([
      ['interrupted', 2],
      ['interrupted', 2],
    ]);
    expect(openBeds()).toBe(0);
  });

  describe('with profiles', () => {
    const profileOf = ({ side }: ExperimentCell) => {
      const ms = side === 'candidate' ? 30 : 10;
      return { programs: [program([{ name: 'hash', url: 'file:///shop/server.cjs', line: 12, ms }])], missing: [] };
    };
    const profiled = (slower: number, profile: ProfileWhen) => {
      const joint: boolean[] = [];
      const onTogether: FakeOptions['onTogether'] = (_, options) => joint.push(options?.profile === true);
      return gate({ ...timesOf(slower), profileOf, onTogether }, { profile }).then((one) => ({ ...one, joint }));
    };

    it('names the functions of a gate that fails, by pairs of their own after those that judge', async () => {
      const { joint, judged, events } = await profiled(1.2, 'failed');
      const { result, pairs, baseline } = await judged;
      // One request in each repetition.
      expect(result.profile?.functions).toMatchObject([{ name: 'hash', file: 'server.cjs', line: 12, us: 20_000 }]);
      expect(result.profile?.pairs).toBe(8);
      expect(joint).toEqual([...Array(2 * pairs).fill(false), ...Array(8).fill(true)]);
      expect([baseline.cells.length, baseline.record.repetitions]).toEqual([2 * pairs, pairs]);
      expect(events.filter(({ kind }) => kind === 'profiled')).toHaveLength(8);
    });

    it('profiles a gate that passes only by `always`', async () => {
      expect((await (await profiled(1, 'failed')).judged).result.profile).toBeUndefined();
      const { result } = await (await profiled(1, 'always')).judged;
      expect([result.verdict, result.profile?.functions.length]).toEqual(['passed', 1]);
    });

    it('keeps the verdict where nothing can be profiled, and ends after one pair', async () => {
      const failing = { ...timesOf(1.2), profileOf: () => undefined };
      const { judged, events } = await gate(failing, { profile: 'failed' });
      const { result } = await judged;
      expect(result.verdict).toBe('failed');
      expect(result.notes).toEqual(
        expect.arrayContaining([expect.stringMatching(/^profiles: none, since roles in containers/)]),
      );
      expect(events.filter(({ kind }) => kind === 'profiled')).toHaveLength(1);
    });
  });

  it('takes the thresholds of the experiment, and needs one', async () => {
    const chosen = { baseline: {}, candidate: {} };
    await expect((await open(shop())).pair(chosen)).rejects.toMatchObject({ code: 'TB_USAGE' });
    const own = withText('repetitions: 3', "thresholds: ['rtt.p95 < +7%']");
    expect((await (await open(own)).pair(chosen)).thresholds.map(({ text }) => text)).toEqual(['rtt.p95 < +7%']);
  });
});
