/** What a gate and a comparison make of repetitions on a saturated host, and of those that were measured again. */
import type { Cell } from '@topo-bench/core/schema/result';
import { describe, expect, it, test } from 'vitest';
import { compareRuns } from '../src/compare.ts';
import { gate } from '../src/gate.ts';
import { parseThreshold } from '../src/threshold.ts';
import { type CellFigures, measuredAgain, runOf, saturated } from './fixtures/run-of.ts';

const flat = [1000, 1001, 1002, 1001, 1000, 1002, 1001, 1000];

function run(change: (entry: Cell, repetition: number) => Cell) {
  const cells: CellFigures[] = [{ factors: { architecture: 'sidecar' }, mediansUs: flat, change }];
  return runOf(cells);
}

describe('on a saturated host', () => {
  const hops = (perRequest: number) => run((entry) => saturated({ ...entry, hops: { ...entry.hops, perRequest } }));
  const cpu = (us: number) =>
    run((entry, repetition) => saturated({ ...entry, cpuUsPerRequest: { total: us + repetition } }));
  const exposed = (bytes: number) => run((entry) => saturated({ ...entry, exposureBytes: { personal: bytes } }));
  const verdictOf = (text: string, candidate: ReturnType<typeof run>, baseline: ReturnType<typeof run>) =>
    gate(candidate, baseline, [parseThreshold(text)]).verdict;

  it('times are excluded; hops and CPU per request are judged because they do not queue', () => {
    expect(verdictOf('rtt.median < +5%', hops(5), hops(5))).toBe('cannot tell');
    expect(verdictOf('hops.perRequest < +5%', hops(5), hops(5))).toBe('passed');
    expect(verdictOf('hops.perRequest < +5%', hops(6), hops(5))).toBe('failed');
    expect(verdictOf('cpuUsPerRequest.total < +5%', cpu(1000), cpu(1000))).toBe('passed');
    expect(verdictOf('cpuUsPerRequest.total < +5%', cpu(1200), cpu(1000))).toBe('failed');
  });

  it.each([
    ['hops.perRequest', hops(6), hops(5)],
    ['cpuUsPerRequest.total', cpu(1200), cpu(1000)],
    ['exposureBytes.personal', exposed(50), exposed(20)],
  ])('%s is compared', (metric, candidate, baseline) => {
    const { cells, notes } = compareRuns(baseline, candidate, { metric });
    expect(cells[0]?.verdict).toMatch(/worse|slower/);
    expect(notes.join()).not.toContain('saturated');
    expect(compareRuns(baseline, candidate, { metric: 'rtt.median' }).cells[0]).toMatchObject({
      verdict: 'cannot tell',
      reason: expect.stringContaining('saturated'),
    });
  });
});

test('remeasured repetitions are reported for each side, with the reason', () => {
  const plain = run((entry) => entry);
  const again = run((entry, repetition) => (repetition === 3 || repetition === 5 ? measuredAgain(entry) : entry));
  const note =
    '2 repetitions of the candidate were measured again, e.g. sidecar, repetition 3: requests left 12 ms late';
  expect(compareRuns(plain, again).measuredAgain).toEqual([note]);
  expect(compareRuns(again, plain).measuredAgain).toContain(note.replace('candidate', 'baseline'));
  expect(gate(again, plain, [parseThreshold('rtt.median < +5%')]).notes).toContain(note);
  expect(gate(again, undefined, [parseThreshold('rtt.p95 < 1s')]).notes).toContain(
    note.replace(' of the candidate', ''),
  );
  expect(compareRuns(plain, plain).measuredAgain).toEqual([]);
});
