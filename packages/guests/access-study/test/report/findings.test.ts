import { describe, expect, it } from 'vitest';
import { type AccessCell, studyMean } from '../../src/report/access-cells.ts';
import { findingTable } from '../../src/report/finding-table.ts';
import { judgeFindings } from '../../src/report/findings.ts';
import { layerPrices } from '../../src/report/layers.ts';
import { optionPrices } from '../../src/report/option-prices.ts';
import { volumeSlopes } from '../../src/report/volume-slopes.ts';

interface CellOptions {
  source?: string;
  query?: string;
  /** Part of each time before the first data. */
  startMs?: number;
  /** Levels of options by path. */
  options?: Readonly<Record<string, string | boolean>>;
}

/** @param times overall time in ms, by repetition from 1 on */
function cell(variant: string, volume: number, times: readonly number[], more: CellOptions = {}): AccessCell {
  const { source = 'postgresql', query = 'all', startMs = 0, options = {} } = more;
  const levels = { source, volume, query, variant, ...options };
  const byRepetition = (of: (ms: number) => number) => new Map(times.map((ms, at) => [at + 1, of(ms)] as const));
  return {
    ...{ source, volume, query, variant },
    index: 0,
    levels,
    others: Object.entries(options)
      .map(([name, level]) => `${name.replace('access.', '')} ${level}`)
      .join(', '),
    group: {} as AccessCell['group'],
    figures: {} as AccessCell['figures'],
    parts: {},
    conversionMs: Number.NaN,
    durations: byRepetition((ms) => ms),
    rates: byRepetition((ms) => (volume * 1e3) / ms),
    ratesAfterStart: byRepetition((ms) => (volume * 1e3) / (ms - startMs)),
  };
}

const rounds = [1, 1.01, 0.99, 1.02, 0.98, 1.03, 0.97, 1];
const around = (ms: number, count = 8) => rounds.slice(0, count).map((factor) => ms * factor);
const verdictsOf = (cells: AccessCell[]) =>
  judgeFindings(cells).map(({ source, statement, verdict }) => `${source}, ${statement} ${verdict}`);
const verdictOf = (cells: AccessCell[], statement: RegExp) =>
  judgeFindings(cells).find((one) => statement.test(one.statement))?.verdict;

const [fastest, slowest, layers, json, deployment, level] = [
  'A, the native driver, is the fastest.',
  'D, with the Flight server, is the slowest.',
  'More layers, less speed.',
  'JSON is a penalty that B, C and D share.',
  'Deployment overhead grows with the layers: one row takes longest in D, then C, B and A.',
  'Throughput is level over volumes.',
] as const;

describe('the findings of the published study', () => {
  it('are confirmed where every round shows them', () => {
    const cells = [cell('native', 1000, around(100)), cell('connector-container', 1000, around(150))];
    cells.push(cell('connector-pod', 1000, around(200)), cell('flight-pod', 1000, around(300)));
    expect(verdictsOf(cells)).toEqual([
      `PostgreSQL, ${fastest} confirmed`,
      `PostgreSQL, ${slowest} confirmed`,
      `PostgreSQL, ${layers} confirmed`,
      `PostgreSQL, ${json} undecided`,
      `PostgreSQL, ${deployment} undecided`,
      `PostgreSQL, ${level} undecided`,
      "all, A's lead comes in part from drivers written in C. not testable",
    ]);
    expect(judgeFindings(cells)[0]?.evidence[0]).toContain('connector-container takes longer than native: × 1.50');
  });

  it('are refuted where the reverse is shown, and the columnar path counts for none of them', () => {
    const cells = [cell('native', 1000, around(200)), cell('connector-process', 1000, around(150))];
    expect(verdictOf(cells, /fastest/)).toBe('refuted');
    expect(verdictsOf([...cells, cell('columnar', 1000, around(1))])).toEqual(verdictsOf(cells));
  });

  it('have a row where a run has data for them, and share a line where it has none', () => {
    const cells = [cell('native', 1000, around(100)), cell('connector-process', 1000, around(150))];
    const [table] = findingTable(cells);
    expect(table?.rows.map(([, statement, verdict]) => `${statement} ${verdict}`)).toEqual([
      `${fastest} confirmed`,
      `${layers} confirmed`,
      "A's lead comes in part from drivers written in C. not testable",
    ]);
    expect(table?.note).toContain(
      'No data in this run for: D, with the Flight server, is the slowest (PostgreSQL); JSON is a penalty',
    );
    const one = { query: 'one-row' };
    const whole = [1000, 2000].flatMap((rows) => [
      cell('native', rows, around(rows)),
      cell('connector-process', rows, around(1.5 * rows)),
      cell('columnar-process', rows, around(1.2 * rows)),
      cell('flight-process', rows, around(2 * rows)),
    ]);
    const single = [cell('native', 1000, around(9), one), cell('flight-process', 1000, around(90), one)];
    expect(findingTable([...whole, ...single])[0]?.rows).toHaveLength(7);
    expect(findingTable([...whole, ...single])[0]?.note).not.toContain('No data');
    expect(findingTable(cells.slice(0, 1))).toEqual([]);
  });

  it('are undecided with fewer rounds than a test needs', () => {
    const cells = [cell('native', 1000, around(100, 4)), cell('connector-pod', 1000, around(500, 4))];
    expect(verdictsOf(cells).filter((text) => !text.endsWith('undecided'))).toHaveLength(1);
  });

  it('leave the penalty of JSON undecided, with columns as its upper limit', () => {
    const columns = [cell('flight-pod', 1000, around(300)), cell('columnar-pod', 1000, around(100))];
    // Columns also leave out rows: their distance shows nothing of JSON alone.
    expect(verdictOf(columns, /JSON/)).toBe('undecided');
    expect(judgeFindings(columns).find(({ statement }) => statement === json)?.evidence).toEqual([
      expect.stringMatching(/^flight-pod takes longer than columnar-pod: × 3\.00 .*, JSON being a part of it$/),
    ]);
  });

  it('have the overhead of deployment from the query for one row, and all else from whole tables', () => {
    const one = { query: 'one-row' };
    const cells = [cell('native', 1000, around(10), one), cell('connector-container', 1000, around(500), one)];
    cells.push(cell('connector-pod', 1000, around(2000), one), cell('flight-pod', 1000, around(4000), one));
    expect(verdictOf(cells, /Deployment/)).toBe('confirmed');
    expect(verdictOf(cells, /fastest/)).toBe('undecided');
    const quickPod = cells.map((kept) =>
      kept.variant === 'connector-pod' ? cell('connector-pod', 1000, around(300), one) : kept,
    );
    expect(verdictOf(quickPod, /Deployment/)).toBe('refuted');
  });

  it('state where the study made a claim: level throughput of PostgreSQL alone', () => {
    const of = (source: string) =>
      [1000, 2000].flatMap((rows) =>
        ['native', 'connector-process'].map((variant) => cell(variant, rows, around(rows), { source })),
      );
    expect(verdictsOf([...of('postgresql'), ...of('mongodb')]).filter((text) => text.includes('level'))).toEqual([
      `PostgreSQL, ${level} confirmed`,
      'MongoDB, Throughput is level over volumes (the study states it for PostgreSQL alone). confirmed',
    ]);
  });

  it('have a verdict for each level of an option, with the one cell of variants without it', () => {
    const zipped = (variant: string, ms: number, codec: string) =>
      cell(variant, 1000, around(ms), { options: { 'access.compression': codec } });
    const cells = [zipped('native', 100, 'none'), zipped('flight-process', 50, 'zstd')];
    cells.push(zipped('flight-process', 200, 'none'));
    const found = judgeFindings(cells).filter(({ statement }) => statement === fastest);
    expect(found.map(({ options, verdict }) => `${options}: ${verdict}`)).toEqual([
      'compression none: confirmed',
      'compression zstd: refuted',
    ]);
    const [table] = findingTable(cells);
    expect(table?.columns[1]).toMatchObject({ heading: 'options' });
    expect(table?.note).not.toContain(fastest.replace('.', ' (PostgreSQL)'));
  });

  it('appear once where an option belongs to other variants', () => {
    const joined = (variant: string, ms: number, connections: string) =>
      cell(variant, 1000, around(ms), { options: { 'access.connections': connections } });
    const cells = [joined('native', 100, '1'), joined('connector-process', 200, '1'), joined('columnar', 50, '1')];
    const names = judgeFindings([...cells, joined('columnar', 25, '2')]).map(({ statement }) => statement);
    expect(names).toEqual([...new Set(names)]);
  });
});

describe('the change of throughput with the volume', () => {
  const volumes = [1000, 2000, 4000];

  it('is level for a constant time per row, and falls with a growing one', () => {
    const at = (perRow: (rows: number) => number) =>
      volumeSlopes(volumes.map((rows) => cell('native', rows, around(rows * perRow(rows)))))[0];
    expect(at(() => 0.1)?.verdict).toBe('level');
    expect(at((rows) => 0.1 * Math.sqrt(rows / 1000))).toMatchObject({ verdict: 'falls' });
    // The time per row grows by a factor of the square root of 2 for each doubling.
    expect(at((rows) => 0.1 * Math.sqrt(rows / 1000))?.overall.estimate).toBeCloseTo(Math.SQRT1_2, 6);
  });

  it('is judged without the start, whose share falls with the volume', () => {
    const started = (perRow: (rows: number) => number) =>
      volumes.map((rows) =>
        cell(
          'connector-pod',
          rows,
          around(rows * perRow(rows)).map((ms) => ms + 1000),
          { startMs: 1000 },
        ),
      );
    const [level] = volumeSlopes(started(() => 0.1));
    expect(level).toMatchObject({ verdict: 'level' });
    expect(level?.afterStart.estimate).toBeCloseTo(1, 6);
    expect(level?.overall.estimate).toBeGreaterThan(1.5);
    // Amortised, the start hides a read that gets slower.
    const [falling] = volumeSlopes(started((rows) => 0.1 * Math.sqrt(rows / 1000)));
    expect(falling?.overall.estimate).toBeGreaterThan(1);
    expect(falling?.verdict).toBe('falls');
  });
});

describe('the price of a layer', () => {
  it('is the difference to the nearest variant without it', () => {
    const cells = [cell('native', 1000, around(100)), cell('connector-process', 1000, around(250))];
    cells.push(cell('flight-process', 1000, around(400)), cell('columnar', 1000, around(50)));
    const prices = layerPrices(cells).map(({ cell: { variant }, baseline, difference, ratio }) => [
      variant,
      baseline.variant,
      Math.round(difference.estimate),
      Number(ratio.estimate.toFixed(3)),
    ]);
    expect(prices).toEqual([
      ['connector-process', 'native', 150, 0.4],
      ['flight-process', 'connector-process', 150, 0.625],
      ['columnar', 'native', -50, 2],
    ]);
  });

  it('compares cells with the same options', () => {
    const kept = (variant: string, ms: number, isCached: boolean): AccessCell => {
      const made = cell(variant, 1000, around(ms));
      return { ...made, levels: { ...made.levels, 'access.cachedDiscovery': isCached } };
    };
    const cells = [kept('native', 100, false), kept('connector-process', 300, false)];
    cells.push(kept('connector-process', 200, true), kept('flight-process', 250, true));
    const prices = layerPrices(cells).map(({ cell: { variant }, baseline, difference }) => [
      variant,
      baseline.variant,
      Math.round(difference.estimate),
    ]);
    // The native driver has no discovery: one cell of it stands for both levels.
    expect(prices).toEqual([
      ['connector-process', 'native', 200],
      ['connector-process', 'native', 100],
      ['flight-process', 'connector-process', 50],
    ]);
  });
});

describe('the price of an option', () => {
  it('is the difference to the same cell with the default of the option', () => {
    const made = (ms: number, compression: string, warm: boolean): AccessCell => {
      const plain = cell('flight-process', 1000, around(ms));
      return { ...plain, levels: { ...plain.levels, 'access.compression': compression, 'access.warm': warm } };
    };
    const cells = [
      made(400, 'zstd', false),
      made(300, 'none', false),
      made(100, 'none', true),
      made(150, 'zstd', true),
    ];
    const prices = optionPrices(cells).map(({ layer, difference, ratio }) => [
      layer,
      Math.round(difference.estimate),
      Number(ratio.estimate.toFixed(2)),
    ]);
    expect(prices).toEqual([
      ['compression zstd', 100, 0.75],
      ['warm true', -200, 3],
      ['compression zstd', 50, 0.67],
      ['warm true', -250, 2.67],
    ]);
    expect(optionPrices([cell('native', 1000, around(100))])).toEqual([]);
  });
});

describe('the summary of the published study', () => {
  it('is the mean without the smallest and the largest value, and needs three', () => {
    expect(studyMean([1000, 2, 3, 4, 0])).toBe(3);
    expect(studyMean([1, 2])).toBeNaN();
  });
});
