/** The fixture that end-to-end tests rely on: it repeats what the machine has spoilt, and nothing else. */
import type { Cell } from '@topo-bench/core/schema/result';
import { expect, it } from 'vitest';
import {
  anyRepetition,
  endedByHostAlone,
  everyRepetition,
  oneOfEachCell,
  untilValid,
  validRun,
} from './fixtures/valid-run.ts';

const late = 'scheduler lag p99 9 ms is above 1 ms and above 10% of the median RTT 60 ms';
const entry = (architecture: string, ...reasons: string[]): Cell =>
  ({ factors: { architecture }, validity: { valid: reasons.length === 0, reasons, flags: [] } }) as unknown as Cell;

/** Attempts with these cells, the last of them again and again. */
function attempts(...cells: Cell[][]): {
  made: () => number;
  measure: () => Promise<{ cells: Cell[]; stderr: string }>;
} {
  let made = 0;
  const measure = async () => ({ cells: cells[Math.min(made++, cells.length - 1)] as Cell[], stderr: '' });
  return { made: () => made, measure };
}

it('repeats a late measurement, and gives up after five', async () => {
  const { made, measure } = attempts([entry('none', late)]);
  await expect(untilValid(measure)).rejects.toThrow(/^not valid in 5 attempts: scheduler lag/);
  expect(made()).toBe(5);
});

it('returns the attempt after which every cell has had a valid repetition', async () => {
  const [first, second] = [
    [entry('none'), entry('sidecar', late)],
    [entry('none', late), entry('sidecar')],
  ];
  expect(await untilValid(attempts(first, second).measure)).toMatchObject({ attempt: 2, cells: second });
  await expect(untilValid(attempts(first).measure)).rejects.toThrow('not valid in 5 attempts');
});

it('may require an attempt whose repetitions are all valid', async () => {
  const { measure } = attempts(
    [entry('none'), entry('sidecar', late)],
    [entry('none', late), entry('sidecar')],
    [entry('none'), entry('sidecar')],
  );
  expect(await untilValid(measure, everyRepetition)).toMatchObject({ attempt: 3 });
});

it('may require one valid repetition of each cell, or any', async () => {
  const cells = [entry('none'), entry('none', late), entry('sidecar', late)];
  const both = [entry('none', late), entry('none'), entry('sidecar')];
  expect(await untilValid(attempts(cells, both).measure, oneOfEachCell)).toMatchObject({ attempt: 2 });
  expect(await untilValid(attempts(cells).measure, anyRepetition)).toMatchObject({ attempt: 1 });
});

it.each([
  '1 wrong decision',
  'died during the repetition: orders',
  '2 errors in 20 requests (10%), at most 0% allowed',
])('does not repeat what the machine cannot cause: %s', async (reason) => {
  const { made, measure } = attempts([entry('none', reason)], [entry('none')]);
  await expect(untilValid(measure)).rejects.toMatchObject({ actual: [reason] });
  expect(made()).toBe(1);
});

it('does not take a run without repetitions, without a document or with another exit code', async () => {
  await expect(untilValid(attempts([]).measure)).rejects.toThrow('not valid in 5 attempts');
  const ended = (code: number, stdout: string) => async () => ({ code, stdout, stderr: 'it broke' });
  await expect(validRun(ended(4, ''))).rejects.toThrow('it broke');
  await expect(validRun(ended(5, JSON.stringify({ cells: [entry('none')] })))).rejects.toThrow('it broke');
  await expect(validRun(ended(0, JSON.stringify({ cells: [entry('none', late)] })))).rejects.toThrow('it broke');
  expect((await validRun(ended(0, JSON.stringify({ cells: [entry('none')] })))).cells).toHaveLength(1);
});

it('accepts repetitions that the machine has spoilt, with their exit code, and no others', () => {
  const spoilt = [entry('none'), entry('sidecar', late)];
  const ended = (code: number, cells: Cell[]) => () => endedByHostAlone({ code, stderr: '' }, cells);
  expect(ended(5, spoilt)).not.toThrow();
  expect(ended(0, [...spoilt, entry('sidecar')])).not.toThrow();
  for (const [code, cells] of [
    [0, spoilt],
    [5, [entry('none')]],
    [0, []],
    [5, [entry('none', '1 wrong decision')]],
    [5, [entry('none', late, 'died during the repetition: orders')]],
  ] as const) {
    expect(ended(code, [...cells])).toThrow();
  }
});
