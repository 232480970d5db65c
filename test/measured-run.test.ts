/** The fixture that end-to-end tests rely on: it accepts what the machine has spoilt, and nothing else. */
import type { Cell } from '@topo-bench/core/schema/result';
import { expect, it } from 'vitest';
import { endedByHostAlone, measuredRun } from './fixtures/measured-run.ts';

const late = 'scheduler lag p99 9 ms is above 1 ms and above 10% of the median RTT 60 ms';
function entry(architecture: string, ...reasons: string[]): Cell {
  const lagUs = reasons.includes(late) ? 9000 : 20;
  return {
    factors: { architecture },
    schedulerLag: { p99Us: lagUs, meanUs: lagUs },
    validity: { valid: reasons.length === 0, reasons, flags: [], lagLimit: { p99Us: 6000, meanUs: 300 } },
  } as unknown as Cell;
}

it('repetitions that the machine has spoilt are accepted with their exit code, and no others', () => {
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
    [5, [entry('none', '2 errors in 20 requests (10%), at most 0% allowed')]],
  ] as const) {
    expect(ended(code, [...cells])).toThrow();
  }
});

it('a reason that the figures do not show is refused, and so are figures without their reason', () => {
  const [onTime, spoilt] = [entry('none'), entry('none', late)];
  const ended =
    (figures: Cell, { validity }: Cell) =>
    () =>
      endedByHostAlone({ code: validity.valid ? 0 : 5, stderr: '' }, [{ ...figures, validity }]);
  expect(ended(spoilt, spoilt)).not.toThrow();
  expect(ended(onTime, spoilt)).toThrow();
  expect(ended(spoilt, onTime)).toThrow();
});

it('a run without a document or with another exit code is refused', async () => {
  const ended = async (code: number, stdout: string) => ({ code, stdout, stderr: 'it broke' });
  await expect(measuredRun(ended(4, ''))).rejects.toThrow('it broke');
  await expect(measuredRun(ended(5, JSON.stringify({ cells: [entry('none')] })))).rejects.toThrow('it broke');
  await expect(measuredRun(ended(0, JSON.stringify({ cells: [entry('none', late)] })))).rejects.toThrow('it broke');
  expect((await measuredRun(ended(0, JSON.stringify({ cells: [entry('none')] })))).cells).toHaveLength(1);
  expect((await measuredRun(ended(0, JSON.stringify(entry('none'))))).cells).toHaveLength(1);
});
