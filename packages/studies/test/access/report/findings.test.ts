import { describe, expect, it } from 'vitest';
import { type AccessCell, studyMean } from '../../../src/access/report/access-cells.ts';
import { findingTable } from '../../../src/access/report/access-tables.ts';
import { judgeFindings } from '../../../src/access/report/findings.ts';
import { layerPrices } from '../../../src/access/report/layers.ts';
import { optionPrices } from '../../../src/access/report/option-prices.ts';
import { volumeSlopes } from '../../../src/access/report/volume-slopes.ts';

/** @param times overall time in ms, by repetition from 1 on */
function cell(variant: string, volume: number, times: readonly number[]): AccessCell {
  const levels = { source: 'postgresql', volume, query: 'all', variant };
  const byRepetition = (of: (ms: number) => number) => new Map(times.map((ms, at) => [at + 1, of(ms)] as const));
  return {
    ...levels,
    index: 0,
    levels,
    others: '',
    group: {} as AccessCell['group'],
    figures: {} as AccessCell['figures'],
    parts: {},
    durations: byRepetition((ms) => ms),
    rates: byRepetition((ms) => (volume * 1e3) / ms),
  };
}

const rounds = [1, 1.01, 0.99, 1.02, 0.98, 1.03, 0.97, 1];
const around = (ms: number, count = 8) => rounds.slice(0, count).map((factor) => ms * factor);
const verdicts = (cells: AccessCell[]) => judgeFindings(cells).map(({ verdict }) => verdict);

describe('the findings of the published study', () => {
  it('are confirmed where every round shows them', () => {
    const cells = [cell('native', 1000, around(100)), cell('connector-container', 1000, around(150))];
    cells.push(cell('connector-pod', 1000, around(200)), cell('flight-pod', 1000, around(300)));
    expect(verdicts(cells)).toEqual(['confirmed', 'confirmed', 'confirmed', 'undecided']);
    expect(judgeFindings(cells)[0]?.evidence[0]).toContain('connector-container takes longer than native: × 1.50');
  });

  it('are refuted where the reverse is shown, and the columnar path counts for none of them', () => {
    const cells = [cell('native', 1000, around(200)), cell('connector-process', 1000, around(150))];
    expect(verdicts(cells).slice(0, 1)).toEqual(['refuted']);
    expect(verdicts([...cells, cell('columnar', 1000, around(1))])).toEqual(verdicts(cells));
  });

  it('have a row where a run has data for them, and share a line where it has none', () => {
    const cells = [cell('native', 1000, around(100)), cell('connector-process', 1000, around(150))];
    const [table] = findingTable(cells);
    expect(table?.rows.map(([, statement, verdict]) => `${statement} ${verdict}`)).toEqual([
      'A, the native driver, is the fastest. confirmed',
      'More layers, less speed. confirmed',
    ]);
    expect(table?.note).toContain(
      'No data in this run for: PostgreSQL, D, with the Flight server, is the slowest; ' +
        'PostgreSQL, Throughput is level over volumes.',
    );
    const volumes = [1000, 2000].flatMap((rows) => [
      cell('native', rows, around(rows)),
      cell('flight-process', rows, around(2 * rows)),
    ]);
    expect(findingTable(volumes)[0]?.rows).toHaveLength(4);
    expect(findingTable(volumes)[0]?.note).not.toContain('No data');
  });

  it('are undecided with fewer rounds than a test needs', () => {
    const cells = [cell('native', 1000, around(100, 4)), cell('connector-pod', 1000, around(500, 4))];
    expect(verdicts(cells)).toEqual(['undecided', 'undecided', 'undecided', 'undecided']);
  });

  it('distinguish a level throughput from one that falls with the volume', () => {
    const at = (perRow: (rows: number) => number) =>
      volumeSlopes([1000, 2000, 4000].map((rows) => cell('native', rows, around(rows * perRow(rows)))))[0];
    expect(at(() => 0.1)?.verdict).toBe('level');
    expect(at((rows) => 0.1 * Math.sqrt(rows / 1000))).toMatchObject({ verdict: 'falls' });
    // The time per row grows by a factor of the square root of 2 for each doubling.
    expect(at((rows) => 0.1 * Math.sqrt(rows / 1000))?.perDoubling.estimate).toBeCloseTo(Math.SQRT1_2, 6);
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
