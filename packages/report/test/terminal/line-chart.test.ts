import { expect, test } from 'vitest';
import { lineChart } from '../../src/terminal/line-chart.ts';

const spread = (low: number, value: number, high: number) => ({ value, low, high, kind: 'range' as const, values: [] });
const exactly = (us: number) => spread(us, us, us);

const chart = {
  axis: 'req/s',
  levels: [
    { label: '10', at: 0 },
    { label: '20', at: 0.5 },
    { label: '40', at: 1 },
  ],
  lines: [
    {
      name: 'a',
      points: [
        { at: 0, spread: exactly(2000) },
        { at: 0.5, spread: exactly(4000) },
        { at: 1, spread: spread(6000, 8000, 10_000) },
      ],
    },
  ],
  infinite: '> 1 s',
};

test('heights are in proportion to times, and labels stand at the heights of round times', () => {
  const lines = lineChart(chart, 60);
  const rowWith = (pattern: RegExp) => lines.findIndex((line) => pattern.test(line));
  // Eleven rows from 0 to 10 ms: one for each ms.
  expect(rowWith(/^ *10 ms │/)).toBe(0);
  expect(rowWith(/^ *5 ms │/)).toBe(5);
  expect(rowWith(/^ *0 µs │/)).toBe(10);
  const marks = lines.flatMap((line, row) => (row < 11 && line.includes('o') ? [row] : []));
  expect(marks).toEqual([2, 6, 8]);
  // The spread of the last point, from 6 to 10 ms, next to its mark at 8 ms.
  const column = lines[2]?.indexOf('o') ?? -1;
  expect([0, 1, 2, 3, 4].map((row) => lines[row]?.[column])).toEqual(['|', '|', 'o', '|', '|']);
  expect(lines[5]?.[column]).not.toBe('|');
});

test('levels stand at their places, with their labels below, and dots lead from mark to mark', () => {
  const lines = lineChart(chart, 60);
  const columns = [8, 6, 2].map((row) => lines[row]?.indexOf('o') ?? -1);
  const [first = 0, middle = 0, last = 0] = columns;
  expect(Math.abs(middle - (first + last) / 2)).toBeLessThanOrEqual(0.5);
  const labels = lines[12] ?? '';
  for (const [at, label] of ['10', '20', '40'].entries()) {
    expect(Math.abs(labels.indexOf(label) + 0.5 - (columns[at] as number))).toBeLessThanOrEqual(1);
  }
  // One dot in each column between two marks.
  for (let column = first + 1; column < middle; column++) {
    expect(lines.slice(0, 11).filter((line) => line[column] === '.')).toHaveLength(1);
  }
});

test('an infinite time is above all others, and a missing one is not drawn', () => {
  const [line] = chart.lines;
  const points = [
    { at: 0, spread: exactly(2000) },
    { at: 0.5, spread: exactly(Number.NaN) },
    { at: 1, spread: exactly(Number.POSITIVE_INFINITY) },
  ];
  const lines = lineChart({ ...chart, lines: [{ ...line, name: 'a', points }] }, 60);
  const marked = lines.flatMap((text, row) => (row < 11 && text.includes('o') ? [text] : []));
  expect(marked).toHaveLength(2);
  expect(marked[0]).toMatch(/^ *> 1 s │/);
});

test('lines at the same place stay apart, and marks that meet are shown as several', () => {
  const [line] = chart.lines;
  const two = [
    { ...line, points: line?.points ?? [], name: 'a' },
    { ...line, points: line?.points ?? [], name: 'b' },
  ];
  const lines = lineChart({ ...chart, lines: two }, 60);
  expect(lines.slice(0, 11).filter((text) => text.includes('o') && text.includes('x'))).toHaveLength(3);
  expect(lines.at(-1)).toBe('o a   x b   | spread');
  const many = Array.from({ length: 20 }, (_, at) => ({ points: line?.points ?? [], name: `line-${at}` }));
  const crowded = lineChart({ ...chart, lines: many }, 60);
  expect(crowded.at(-1)).toContain('& several   | spread');
  // Names break between lines only as a whole.
  const legend = crowded.slice(14);
  expect(Math.max(...legend.map((text) => text.length))).toBeLessThanOrEqual(60);
  expect(legend.join('   ').split('   ').slice(0, 20)).toEqual(
    many.map(({ name }, at) => `${'ox+*#@'[at % 6]} ${name}`),
  );
});

test('a knee is marked below the levels between which it lies, with the name of its line where there is room', () => {
  const points = chart.lines[0]?.points ?? [];
  const drawn = (name: string, knee: [number, number]): string[] =>
    lineChart(
      {
        ...chart,
        lines: [
          { name: 'first', points },
          { name, points, knee },
        ],
      },
      60,
    );
  const [labels = '', knee = '', heading = ''] = drawn('sidecar', [0, 0.5]).slice(12);
  expect(knee).toMatch(/^ +\^-+\^ knee of sidecar$/);
  expect(Math.abs(knee.indexOf('^') - labels.indexOf('10'))).toBeLessThanOrEqual(2);
  expect(Math.abs(knee.lastIndexOf('^') - labels.indexOf('20'))).toBeLessThanOrEqual(2);
  expect(heading).toContain('req/s');
  expect(drawn('sidecar', [0.5, 1])[13]).toMatch(/^ +knee of sidecar \^-+\^$/);
  // Neither side has room for a long name: the mark of the line stands for it.
  const long = drawn('central-entity with 12 services and five rules', [0.5, 1]);
  expect(long[13]).toMatch(/^ +knee of x \^-+\^$/);
  for (const line of long.slice(0, 15)) expect(line.length).toBeLessThanOrEqual(60);
});
