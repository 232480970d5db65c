import { describe, expect, it } from 'vitest';
import { judgeFindings } from '../../src/report/findings/judge-findings.ts';
import { streamCells } from '../../src/report/stream-cells.ts';
import { streamTables } from '../../src/report/stream-tables.ts';
import { around, type ChosenCell, streamModel } from './stream-model.ts';

const cell = (factors: ChosenCell['factors'], rates: readonly number[], more?: ChosenCell['more']): ChosenCell => ({
  factors: { windows: 'none', ...factors },
  rates,
  ...(more && { more }),
});
const judge = (chosen: readonly ChosenCell[]) => judgeFindings(streamCells(streamModel(chosen)));
const verdicts = (chosen: readonly ChosenCell[]): Record<string, string> =>
  Object.fromEntries(judge(chosen).findings.map(({ statement, verdict }) => [statement, verdict]));

const lower = 'Windows mostly lower throughput.';
const bursty = 'Windows make accesses bursty.';
const redisFirst = 'Redis is first on writes.';
const raises = 'Without windows, a write-behind grid raises the write throughput of every database.';

describe('the findings of the published stream-store study', () => {
  it('are confirmed where every repetition shows them', () => {
    const pair = (windowed: number) => [
      cell({ database: 'postgresql' }, around(1000)),
      cell({ database: 'postgresql', windows: '1 s' }, around(windowed)),
    ];
    expect(verdicts(pair(800))[lower]).toBe('confirmed');
    expect(verdicts(pair(1250))[lower]).toBe('refuted');
    expect(
      verdicts([
        cell({ database: 'postgresql' }, around(1000)),
        cell({ database: 'postgresql', windows: '1 s' }, around(1000).reverse()),
      ])[lower],
    ).toBe('undecided');
  });

  it('are undecided with fewer repetitions than a test needs', () => {
    const cells = [cell({ database: 'redis' }, around(9000, 4)), cell({ database: 'mysql' }, around(100, 4))];
    expect(verdicts(cells)[redisFirst]).toBe('undecided');
  });

  it('need every claim for a confirmation, and the reverse of one for a refutation', () => {
    const stores = (redis: number, mysql: number) => [
      cell({ database: 'redis' }, around(redis)),
      cell({ database: 'postgresql' }, around(1000)),
      cell({ database: 'mysql' }, around(mysql)),
    ];
    expect(verdicts(stores(3000, 500))[redisFirst]).toBe('confirmed');
    // Six repetitions suffice for up to three claims: 2⁻⁶ < 0.05 / 3.
    expect(verdicts(stores(3000, 9000))[redisFirst]).toBe('refuted');
  });

  it('compare burstiness at the sink', () => {
    const even = { source: [10, 10, 10, 10], sink: [9, 11, 10, 10] };
    const bursts = { source: [10, 10, 10, 10], sink: [0, 0, 40] };
    const cells = [
      cell({ database: 'redis' }, around(1000), { counts: even }),
      cell({ database: 'redis', windows: '1 s' }, around(1000), { counts: bursts }),
    ];
    const finding = judge(cells).findings.find(({ statement }) => statement === bursty);
    // Standard deviations over the four tenths: √0.5 and 10 √3, at a mean of 10.
    expect(Math.exp(finding?.claims[0]?.effects[0] ?? 0)).toBeCloseTo((10 * Math.sqrt(3)) / Math.sqrt(0.5), 9);
    expect(finding?.verdict).toBe('confirmed');
  });

  it('compare cells behind the grid with those alone, and not with other databases', () => {
    const cells = [
      cell({ database: 'mysql', grid: 'none' }, around(100)),
      cell({ database: 'mysql', grid: 'hazelcast' }, around(820)),
      cell({ database: 'postgresql', grid: 'none' }, around(500)),
      cell({ database: 'postgresql', grid: 'hazelcast' }, around(600)),
      cell({ database: 'redis', grid: 'none' }, around(2000)),
    ];
    const found = judge(cells).findings.filter(({ number }) => number === 2);
    expect(found.map(({ verdict }) => verdict)).toEqual(['confirmed', 'confirmed']);
    expect(found[0]?.claims.map(({ text }) => text)).toEqual([
      'postgresql behind the grid to postgresql alone',
      'mysql behind the grid to mysql alone',
    ]);
    expect(Math.exp(found[1]?.claims[0]?.effects[0] ?? 0)).toBeCloseTo(8.2 / 1.2, 9);
    const slower = cells.map((one) => (one.factors.grid === 'hazelcast' ? { ...one, rates: around(50) } : one));
    expect(verdicts(slower)[raises]).toBe('refuted');
  });

  it('compare workloads whose sizes differ', () => {
    const jobs = (copy: number) => [
      cell({ database: 'postgresql', job: 'generate', points: 5000 }, around(1000)),
      cell({ database: 'postgresql', job: 'copy', entries: 700 }, around(copy)),
    ];
    expect(verdicts(jobs(1500))['Copying is faster than generating on every database.']).toBe('confirmed');
    expect(verdicts(jobs(700))['Copying is faster than generating on every database.']).toBe('refuted');
  });

  it('compare the CPU time of databases over the job', () => {
    const use = (cpuUs: number) => ({ roles: { store: { cpuUs } } });
    const cells = [
      cell({ database: 'mysql' }, around(100), use(2e5)),
      cell({ database: 'postgresql' }, around(100), use(6e5)),
      cell({ database: 'redis' }, around(100)),
    ];
    const finding = judge(cells).findings.find(({ number }) => number === 6);
    expect(finding?.claims.map(({ effects }) => Math.exp(effects[0] ?? 0).toFixed(3))).toEqual(['3.000']);
    expect(finding?.verdict).toBe('confirmed');
  });

  it('compare the bytes that databases write to files, of those that write any', () => {
    const cells = [
      cell({ database: 'hbase' }, around(100), { writtenBytes: 9e6 }),
      cell({ database: 'cassandra' }, around(100), { writtenBytes: 3e6 }),
      cell({ database: 'redis' }, around(100), { writtenBytes: 0 }),
      cell({ database: 'mysql' }, around(100)),
    ];
    const disk = (chosen: readonly ChosenCell[]) =>
      judge(chosen).findings.find(({ statement }) => statement === 'On writes, HBase uses the disk most.');
    const claims = disk(cells)?.claims.map(({ text, effects }) => [text, Math.exp(effects[0] ?? 0).toFixed(3)]);
    expect(claims).toEqual([['bytes that hbase wrote to those of cassandra', '3.000']]);
    expect(disk(cells)?.verdict).toBe('confirmed');
    const others = cells.map((one) =>
      one.factors.database === 'cassandra' ? { ...one, more: { writtenBytes: 1e8 } } : one,
    );
    expect(disk(others)?.verdict).toBe('refuted');
  });

  it('name those without data in one line, with what they need', () => {
    const model = streamModel([cell({ database: 'redis' }, around(9)), cell({ database: 'mysql' }, around(1))]);
    const table = streamTables(model).find(({ id }) => id === 'findings');
    expect(table?.note).toMatch(/No data in this run for: 1 \(windows: \[none, 1s\]\); 2 \(grid: .*; 7 \(advice\)\.$/);
    expect(table?.rows).toEqual([['4', redisFirst, 'confirmed', 'redis to mysql', '9.00×', '9.00× to 9.00×', '6']]);
    expect(streamTables(streamModel([cell({ database: 'redis' }, around(9))])).map(({ id }) => id)).not.toContain(
      'findings',
    );
  });
});
