import { expect, test } from 'vitest';
import { judgeHypotheses } from '../../src/report/hypotheses.ts';
import type { StudyCell } from '../../src/report/study-cells.ts';

const stores = ['sql-indexed', 'sql-unindexed', 'document'];
const workloads = ['read-heavy', 'write-heavy', 'mixed'];
const loads = [1, 10, 100];

type Figures = Partial<Pick<StudyCell, 'p95Ms' | 'throughputRps' | 'cpuPercent' | 'ramMb'>>;

function cells(
  repetitions: number,
  figuresOf: (store: string, load: number, repetition: number) => Figures,
): StudyCell[] {
  return Array.from({ length: repetitions }, (_, at) => at + 1).flatMap((repetition) =>
    stores.flatMap((store) =>
      workloads.flatMap((workload) =>
        loads.map((load) => ({
          store,
          workload,
          load,
          repetition,
          p50Ms: 1,
          p99Ms: 30,
          errors: 0,
          ...{ p95Ms: 10, throughputRps: 100, cpuPercent: 50, ramMb: 100 },
          ...figuresOf(store, load, repetition),
        })),
      ),
    ),
  );
}

const verdicts = (all: StudyCell[]) => Object.fromEntries(judgeHypotheses(all).map(({ id, verdict }) => [id, verdict]));
const p95 = (figures: Record<string, number>) => (store: string, _: number, repetition: number) => ({
  p95Ms: (figures[store] ?? 1) * (1 + repetition / 100),
});

test('one repetition decides nothing, however large the differences', () => {
  const all = cells(1, p95({ 'sql-indexed': 1, 'sql-unindexed': 100, document: 50 }));
  expect(verdicts(all)).toEqual({ H1: 'undecided', H2: 'undecided', H3: 'undecided' });
  expect(judgeHypotheses(all)[0]?.reason).toBe('1 repetition of 5 that could show anything');
});

test('four repetitions that all agree are one too few, five are enough', () => {
  const figures = p95({ 'sql-indexed': 1, 'sql-unindexed': 100, document: 50 });
  expect(verdicts(cells(4, figures)).H1).toBe('undecided');
  expect(verdicts(cells(5, figures)).H1).toBe('supported');
  // 2^-5: all five signs agree by chance.
  const [first] = judgeHypotheses(cells(5, figures))[0]?.claims ?? [];
  expect(first).toMatchObject({ pValue: 1 / 32, effectSize: 1, size: 'p95 × 0.01' });
});

test('a hypothesis is supported only with all its claims, and not supported once the reverse of one is shown', () => {
  const documentIsBest = (store: string) => (store === 'document' ? { p95Ms: 5, throughputRps: 200 } : {});
  expect(verdicts(cells(6, documentIsBest)).H2).toBe('supported');
  const onlyFaster = (store: string, _: number, repetition: number) =>
    store === 'document' ? { p95Ms: 5, throughputRps: repetition % 2 ? 99 : 101 } : {};
  expect(verdicts(cells(6, onlyFaster)).H2).toBe('undecided');
  const fasterWithLess = (store: string) => (store === 'document' ? { p95Ms: 5, throughputRps: 20 } : {});
  // 1/128 is below 0.05 divided by the four claims; 1/64 is not.
  expect(verdicts(cells(7, fasterWithLess)).H2).toBe('not supported');
  expect(verdicts(cells(6, fasterWithLess)).H2).toBe('undecided');
});

test('stability is how little all four metrics spread over workloads and loads, whatever their size', () => {
  const spread = (exponent: number, load: number) => 10 * load ** exponent;
  const all = (steady: string, repetitions: number) =>
    cells(repetitions, (store, load, repetition) => {
      const value = spread(store === steady ? 0.1 + repetition / 1000 : 0.5 + repetition / 1000, load);
      return { p95Ms: value, throughputRps: 7 * value, cpuPercent: value, ramMb: 3 * value };
    });
  expect(verdicts(all('document', 5)).H3).toBe('supported');
  expect(verdicts(all('sql-indexed', 8)).H3).toBe('not supported');
});

test('a hypothesis without its measurements is undecided, and names what is missing', () => {
  const all = cells(6, () => ({})).filter(({ store }) => store !== 'document');
  const [h1] = judgeHypotheses(all);
  expect(h1).toMatchObject({ verdict: 'undecided', reason: 'no data for: sql-indexed has lower p95 than document' });
});
