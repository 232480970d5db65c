/** The jobs of a stream study on real servers: their results against the oracle, and oracles that find wrong ones. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveExperiment } from '@topo-bench/experiment';
import { engines } from '@topo-bench/stores/engines';
import { startServer } from '@topo-bench/stores/servers/start-server';
import { Answers, runQueries } from '@topo-bench/streams';
import { cellsOfQuery, heatMapEntries, realisticQueries } from '@topo-bench/streams/map';
import { studies } from '@topo-bench/studies';
import type { ExperimentCell } from '@topo-bench/trial';
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { HeatMaps } from '../src/heat-maps.ts';
import { AnswerOracle } from '../src/oracle/answer-oracle.ts';
import type { StreamEntry } from '../src/parts.ts';
import { StreamRun } from '../src/run.ts';

const redis = await (await engines.redis.server()).findServer();
if (!redis && process.env.CI === 'true') throw new Error('no Redis server on this machine');
const logsDir = mkdtempSync(join(tmpdir(), 'topo-bench-stream-jobs-'));
afterEach(() => void vi.restoreAllMocks());
afterAll(() => rmSync(logsDir, { recursive: true, force: true }));

const sizes = 'points: 2000, entries: 2000, queries: 300, queryRate: 3000';
const settings = `${sizes}, trials: 0, latencyFor: 100ms`;
function cellsOf(more: string): ExperimentCell[] {
  const rate = more.includes('rate:') ? '' : ', rate: 20000';
  const text = `apiVersion: topo-bench/v1\nkind: Experiment\nname: e\nstream: { ${settings}${rate}${more} }\n`;
  return [...resolveExperiment({ experiment: { file: 'e.yaml', text }, choices: {} }, studies).cells];
}

async function measure(run: StreamRun, more: string): Promise<StreamEntry> {
  const [cell] = cellsOf(more) as [ExperimentCell];
  const context = { signal: new AbortController().signal, onPhase: () => {}, onWarning: () => {} };
  const bed = await run.open(cell, context);
  try {
    return (await bed.measure(cell, 1, context)).entry;
  } finally {
    await bed.close();
  }
}

describe('the jobs of a stream study', () => {
  const run = new StreamRun({ serverUrls: {}, logsDir });
  afterAll(() => run.close());

  it('copies a heat map, with windows and without', async () => {
    for (const windows of ['none', '1s']) {
      const { stream, resources } = await measure(run, `, job: copy, windows: ${windows}`);
      expect(stream?.checked).toEqual({ heatMaps: 2, cells: 4000, wrong: 0, lost: 0, duplicated: 0, late: 0 });
      expect(stream?.fullSpeed.rows).toBe(2000);
      expect(stream?.options.job).toBe('copy');
      expect(resources.host).toHaveProperty('foreignPercent');
    }
  });

  it.skipIf(!redis)(
    'copies from a user-supplied server, whose work is not distinguished from foreign load',
    async () => {
      const source = await startServer({ engine: 'postgresql', logsDir });
      const other = new StreamRun({ serverUrls: { postgresql: source.url }, logsDir });
      onTestFinished(async () => {
        await other.close();
        await source.stop();
      });
      const { stream, resources } = await measure(other, ', job: copy, database: redis');
      expect(stream?.checked).toMatchObject({ heatMaps: 2, wrong: 0, lost: 0, duplicated: 0 });
      expect(resources.host).not.toHaveProperty('foreignPercent');
    },
  );

  it('answers realistic and random queries, with windows and without', async () => {
    for (const [job, windows] of [
      ['realistic-queries', 'none'],
      ['random-queries', '1m'],
    ]) {
      const { stream, factors } = await measure(run, `, job: ${job}, windows: ${windows}`);
      expect(stream?.checked).toMatchObject({ heatMaps: 0, answers: 600, wrong: 0, lost: 0, duplicated: 0, late: 0 });
      expect(stream?.checked.cells).toBeGreaterThan(600);
      expect(stream?.storageBytes).toBeGreaterThan(10_000);
      expect(factors).toMatchObject({ job, entries: 2000, queries: 300 });
    }
  });

  it('resumes a job from its checkpoint when its processor is killed, and neither loses nor repeats anything', async () => {
    const { stream, validity } = await measure(run, ', killAfter: 1s, rate: 1000, windows: 1s, rowsPerWrite: 20');
    const { recovery } = stream ?? {};
    expect(recovery).toMatchObject({ wrong: 0, lost: 0, duplicated: 0 });
    expect(recovery?.resumedAt).toBeGreaterThan(0);
    expect(recovery?.resumedAt).toBeLessThan(2000);
    expect(validity.reasons).toEqual([]);
  });

  it('counts what a resumed job lost, which makes the repetition invalid', async () => {
    const { read } = HeatMaps.prototype;
    let reads = 0;
    vi.spyOn(HeatMaps.prototype, 'read').mockImplementation(async function (this: HeatMaps, url) {
      const content = await read.call(this, url);
      // The third heat map is that of the resumed job.
      return ++reads === 3 ? { ...content, entries: content.entries.slice(1) } : content;
    });
    const { stream, validity } = await measure(run, ', killAfter: 500ms, rate: 2000');
    expect(stream?.recovery?.lost).toBeGreaterThan(0);
    expect(validity.reasons.join()).toContain('wrong: cell');
  });
});

describe('the oracle of answers', () => {
  const [entries, count] = [1000, 200];
  const existing = heatMapEntries({ count: entries, seed: 1 });
  const queries = realisticQueries({ queries: count, entries, seed: 1 });
  const byCell = new Map(
    Array.from(existing.cells, (cell, i) => [
      cell,
      { cell, crossings: existing.crossings[i]!, timeMs: existing.timesMs[i]! },
    ]),
  );
  const answer = (query: number) => cellsOfQuery(queries, query).flatMap((cell) => byCell.get(cell) ?? []);
  const check = (change: (answers: Answers) => void) => {
    const answers = new Answers(count);
    for (let query = 0; query < count; query++) answers.add(query, answer(query));
    change(answers);
    return new AnswerOracle(existing, queries, undefined).check(count, answers, 0);
  };
  const busy = Array.from({ length: count }, (_, query) => query).find((query) => answer(query).length > 2)!;

  it('accepts right answers', () => {
    expect(check(() => {})).toMatchObject({ answers: count, wrong: 0, lost: 0, duplicated: 0, examples: [] });
  });

  it.each([
    ['a missing row', (rows: ReturnType<typeof answer>) => rows.slice(1)],
    [
      'another crossing',
      ([first, ...rest]: ReturnType<typeof answer>) => [{ ...first!, crossings: first!.crossings + 1 }, ...rest],
    ],
    [
      'crossings of two rows swapped',
      ([a, b, ...rest]: ReturnType<typeof answer>) => [
        { ...a!, crossings: b!.crossings + 1 },
        { ...b!, crossings: a!.crossings - 1 },
        ...rest,
      ],
    ],
    ['another time', ([first, ...rest]: ReturnType<typeof answer>) => [{ ...first!, timeMs: 0 }, ...rest]],
  ])('finds %s', (_, change) => {
    const found = check((answers) => {
      answers.add(busy, change(answer(busy)));
      answers.counts[busy] = 1;
    });
    expect(found.wrong).toBe(1);
    expect(found.examples[0]).toContain(`query ${busy}: got `);
  });

  it('counts answers that are missing or repeated, and queries that are falsely late', () => {
    expect(check(({ counts }) => void counts.fill(0, 0, 1))).toMatchObject({ lost: 1, duplicated: 0 });
    expect(check(({ counts }) => void counts.fill(2, 0, 1))).toMatchObject({ lost: 0, duplicated: 1 });
    const answers = new Answers(1);
    answers.add(0, answer(0));
    expect(new AnswerOracle(existing, queries, undefined).check(1, answers, 1).lateDifference).toBe(1);
  });

  it('accepts what the processor answers from a store in memory', async () => {
    const result = await runQueries({
      source: {
        length: count,
        timeMs: (query) => queries.timesMs[query]!,
        cells: (query) => cellsOfQuery(queries, query),
      },
      store: { readMany: async (cells) => cells.flatMap((cell) => byCell.get(cell) ?? []) },
      windows: { lengthMs: 60_000, outOfOrderMs: 2000 },
      reads: 3,
      clock: { nowUs: () => performance.now() * 1e3 } as never,
      pause: () => new Promise((resolve) => setImmediate(resolve)),
    });
    const oracle = new AnswerOracle(existing, queries, { lengthMs: 60_000, outOfOrderMs: 2000 });
    expect(oracle.check(count, result.answers, result.late)).toMatchObject({ answers: count, wrong: 0, lost: 0 });
    expect(result.counts.sink.reduce((sum, one) => sum + one, 0)).toBe(count);
  });
});
