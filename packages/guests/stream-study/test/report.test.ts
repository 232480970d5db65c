import type { Cell } from '@topo-bench/core/schema/result';
import type { ReportModel } from '@topo-bench/report/model';
import { summarise } from '@topo-bench/stats';
import { describe, expect, it } from 'vitest';
import type { StreamFigures } from '../src/measurement.ts';
import { streamSentences } from '../src/report/stream-sentences.ts';
import { streamTables } from '../src/report/stream-tables.ts';
import { entriesOf } from './report/stream-model.ts';

function figuresOf(database: string, pointsPerSecond: number, wrong: number): StreamFigures {
  const run = { points: 1000, durationUs: 1, pointsPerSecond, rows: 1, writes: 1, late: 0, backPressureUs: 0 };
  const times = { endToEnd: summarise([1e9 / pointsPerSecond]), storeAccess: summarise([10]) };
  return {
    database,
    fullSpeed: { ...run, ...times },
    trials: [],
    sustainedPerSecond: pointsPerSecond * 0.9,
    paced: { ...run, ...times, ratePerSecond: 500, queueGrowth: 0 },
    counts: {},
    checked: { heatMaps: 2, cells: 10, wrong, lost: 3 * wrong, duplicated: wrong, late: 0 },
    storageBytes: 1,
    roles: {},
    options: {},
  };
}

/** @param rates points per second of each repetition, by name, database and windows */
function modelOf(rates: Record<string, readonly number[]>, wrong = 0): ReportModel {
  const groups = Object.entries(rates).map(([key, values]) => {
    const [database = '', name = '', windows = ''] = key.split('|');
    const valid = values.map(
      (rate, at) => ({ repetition: at + 1, stream: figuresOf(name, rate, wrong), validity: { flags: [] } }) as unknown,
    ) as Cell[];
    return { factors: { database, windows, points: 1000 }, valid, invalid: [], planned: values.length };
  });
  const factors = [
    { name: 'database', levels: ['a', 'b'] },
    { name: 'windows', levels: ['none', '1 s'] },
  ];
  return { groups, factors, runs: [] } as unknown as ReportModel;
}

const around = (rate: number, count = 6) => [1, 1.02, 0.98, 1.01, 0.99, 1.03].slice(0, count).map((one) => one * rate);

describe('many sentences of one pattern', () => {
  /** Two databases, without windows and with those of each length. */
  const many = (lengths: readonly string[]): string[] =>
    streamSentences(
      modelOf(
        Object.fromEntries(
          ['none', ...lengths].flatMap((windows, at) => [
            [`postgresql|PostgreSQL 18.4|${windows}`, around(1000 / (at + 1))],
            [`redis|Redis 7.0.15|${windows}`, around(windows === 'none' ? 3000 : 2000 / (at + 1))],
          ]),
        ),
      ),
    );

  it('are one sentence on the fastest database, the sustained rate and the latency of three or more settings', () => {
    const sentences = many(['1 s', '2 s']);
    expect(sentences[0]).toBe(
      'Shown to be the fastest at full speed, of 3 settings: Redis 7.0.15 in 3, with 2.00 to 3.00 times as many points/s as the next one (95% intervals within 2.00 to 3.00).',
    );
    expect(sentences[1]).toMatch(
      /^Over 3 settings, the database keeps up with \(points\/s\): PostgreSQL 18\.4 30[12] to 905, Redis 7\.0\.15 603 to 2,714\.$/,
    );
    expect(sentences.filter((text) => text.includes('full speed'))).toHaveLength(1);
    const latencies = sentences.filter((text) => text.includes('p95 from point to acknowledgement'));
    expect(latencies).toEqual([
      expect.stringMatching(
        /^Over 3 settings, .*: Redis 7\.0\.15 33\d ms to 1\.\d+ s, PostgreSQL 18\.4 99\d ms to \d\S* s\.$/,
      ),
    ]);
  });

  it('name what they count where no database is shown to be the fastest', () => {
    const once = ['none', '1 s', '2 s'].flatMap((windows) => [
      [`postgresql|PostgreSQL 18.4|${windows}`, [1000]],
      [`redis|Redis 7.0.15|${windows}`, [3000]],
    ]);
    expect(streamSentences(modelOf(Object.fromEntries(once)))[0]).toBe(
      'In points/s, no database is shown to be the fastest in any of 3 settings.',
    );
  });

  it('stay apart in two settings', () => {
    const sentences = many(['1 s']);
    expect(sentences.filter((text) => text.includes('at full speed'))).toHaveLength(2);
    expect(sentences.filter((text) => text.includes('windows of 1 s change'))).toHaveLength(2);
  });

  it('are one sentence on windows, which counts the settings without an effect', () => {
    const noisy = [1000, 400, 2500, 900, 1300, 700];
    const sentences = streamSentences(
      modelOf({
        'postgresql|PostgreSQL 18.4|none': around(1000),
        'postgresql|PostgreSQL 18.4|1 s': around(500),
        'redis|Redis 7.0.15|none': around(3000),
        'redis|Redis 7.0.15|1 s': around(2700),
        'mongodb|MongoDB 7|none': around(1000),
        'mongodb|MongoDB 7|1 s': noisy,
      }),
    );
    expect(sentences.filter((text) => /windows of 1 s/i.test(text) && text.includes('throughput'))).toEqual([
      'Windows of 1 s change throughput by −50.0% to −10.0% in 2 of 3 settings (95% intervals within −50.0% to −10.0%); in 1 no effect is shown.',
    ]);
  });
});

describe('the answer to a stream study', () => {
  it('names the fastest database, by how much, and what windows change', () => {
    const sentences = streamSentences(
      modelOf({
        'postgresql|PostgreSQL 18.4|none': around(1000),
        'redis|Redis 7.0.15|none': around(3000),
        'postgresql|PostgreSQL 18.4|1 s': around(500),
      }),
    );
    expect(sentences[0]).toBe(
      'Without windows, Redis 7.0.15 takes 3,015 points/s at full speed: 3.00 times as many as PostgreSQL 18.4 (95% interval 3.00 to 3.00).',
    );
    expect(sentences).toContain(
      'PostgreSQL 18.4: windows of 1 s change throughput by −50.0% (95% interval −50.0% to −50.0%).',
    );
    expect(sentences).toContain(
      'Without windows, the database keeps up with (points/s): PostgreSQL 18.4 905, Redis 7.0.15 2,714.',
    );
    expect(sentences.at(-1)).toBe('All 36 heat maps are right: no crossing was lost or duplicated.');
  });

  it('names the elements of each job', () => {
    const latencyOf = (job: string): string | undefined => {
      const model = modelOf({ 'redis|R|none': [1000] });
      for (const { factors } of model.groups) Object.assign(factors, { job });
      return streamSentences(model).find((text) => text.includes('p95 from'));
    };
    expect(latencyOf('generate')).toMatch(/^At \S+ points\/s .*p95 from point to acknowledgement: R /);
    expect(latencyOf('copy')).toMatch(/^At \S+ entries\/s .*p95 from entry to acknowledgement: R /);
    expect(latencyOf('random-queries')).toMatch(/^At \S+ queries\/s .*p95 from query to answer: R /);
  });

  it('claims no difference that its repetitions do not show', () => {
    const two = { 'postgresql|P|none': around(1000, 2), 'redis|R|none': around(3000, 2), 'redis|R|1 s': [1, 2] };
    const [first, ...more] = streamSentences(modelOf(two));
    expect(first).toBe(
      'Without windows, R takes 3,030 points/s at full speed, P 1,010: no difference is shown yet (interval unknown).',
    );
    expect(more.join('\n')).toMatch(
      /R: windows of 1 s show no effect on throughput yet: −\d+\.\d% \(interval unknown\)/,
    );
    const equal = { 'postgresql|P|none': around(1000), 'redis|R|none': around(1000).reverse() };
    expect(streamSentences(modelOf(equal))[0]).toContain('no difference was shown between');
  });

  it('compares the fastest database with each of the others, and claims only what each pair shows', () => {
    const three = { 'mysql|M|none': around(1000), 'postgresql|P|none': around(1500), 'redis|R|none': around(3000) };
    expect(streamSentences(modelOf(three))[0]).toBe(
      'Without windows, R takes 3,015 points/s at full speed: 2.00 times as many as P (95% interval 2.00 to 2.00), 3.00 times as many as M (95% interval 3.00 to 3.00).',
    );
    const close = { ...three, 'postgresql|P|none': around(3000).reverse() };
    const [first, second] = streamSentences(modelOf(close));
    expect(first).toMatch(/^Without windows, no difference was shown between (R and P|P and R), at 3,0\d\d points\/s/);
    expect(second).toMatch(/^Without windows, [RP] takes 3,0\d\d points\/s at full speed: .* times as many as M \(95%/);
  });

  it('reads the memory of a server from earlier results too', () => {
    const resources = (roles: StreamFigures['roles']): (string | undefined)[] => {
      const model = modelOf({ 'redis|R|none': [1000] });
      for (const { stream } of entriesOf(model)) Object.assign(stream ?? {}, { roles });
      const table = streamTables(model).find(({ id }) => id === 'resources');
      const at = table?.columns.findIndex(({ heading }) => heading === 'database MB') ?? -1;
      return table?.rows.map((row) => String(row[at])) ?? [];
    };
    expect(resources({ store: { cpuUs: 1, rssBytes: 7e6 } })).toEqual(['7.000']);
    expect(resources({ store: { cpuUs: 1, peakRssBytes: 7e6 } })).toEqual(['7.000']);
  });

  it('shows the backlog of a paced job whose source did not fall behind', () => {
    const model = modelOf({ 'redis|R|none': [1000] });
    for (const { stream } of entriesOf(model)) {
      Object.assign(stream?.paced ?? {}, { queueGrowth: 0, backlog: 0.31 });
    }
    const table = streamTables(model).find(({ id }) => id === 'latency');
    expect(table?.rows[0]?.at(-1)).toBe('31.0%');
  });

  it('reports wrong heat maps', () => {
    expect(streamSentences(modelOf({ 'redis|R|none': [1000] }, 2)).at(-1)).toBe(
      '2 cells of 2 heat maps are wrong: 6 crossings lost, 2 duplicated. These repetitions are invalid.',
    );
  });

  it('has a row for every cell in every table of figures', () => {
    const tables = streamTables(modelOf({ 'postgresql|P|none': around(1000), 'redis|R|none': around(3000) }));
    for (const id of ['throughput', 'latency', 'resources', 'checks']) {
      expect(tables.find((table) => table.id === id)?.rows.map(([name]) => name)).toEqual(['P', 'R']);
    }
    expect(tables.find(({ id }) => id === 'databases')?.rows).toEqual([['R', 'none', 'P', '3.00×', '3.00× to 3.00×']]);
  });
});
