import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Cell } from '@topo-bench/core/schema/result';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/fixtures/small-files.ts';
import { syntheticRun } from '../../report/test/fixtures/synthetic-run.ts';
import { sameCells } from '../bench/same-runs/same-cells.ts';

const folder = temporaryFolder();
const run = (name: string, change?: (cell: Cell) => Cell | undefined): Promise<Cell[]> =>
  syntheticRun(join(folder, name), {
    ...{ architectures: ['none', 'sidecar'], services: [5], rates: [100], repetitions: 2, requests: 40 },
    ...(change && { change }),
  });
const only = ({ factors, repetition }: Cell): boolean => factors.architecture === 'sidecar' && repetition === 2;

describe('two runs on one seed', () => {
  it('agree where only times differ, and counts are in another order', async () => {
    const first = await run('one');
    const second = await run('slower', (cell) => ({
      ...cell,
      rtt: { ...cell.rtt, medianUs: 2 * (cell.rtt.medianUs as number) },
      outcomes: Object.fromEntries(Object.entries(cell.outcomes).reverse()) as Cell['outcomes'],
    }));
    const found = sameCells(first, second);
    expect(found).toMatchObject({ compared: 4, differences: [], medianRatios: [2, 2, 2, 2] });
    expect(found.figures).toBeGreaterThanOrEqual(4 * 9);
  });

  it.each<[string, (cell: Cell) => Partial<Cell>]>([
    ['decisions', ({ decisions }) => ({ decisions: { ...decisions, byRule: { ...decisions.byRule, other: 1 } } })],
    ['exposure', () => ({ exposureBytes: { personal: 1 } })],
    ['outcomes', ({ outcomes }) => ({ outcomes: { ...outcomes, completed: outcomes.completed - 1 } })],
    ['hops', ({ hops }) => ({ hops: { ...hops, perRequest: hops.perRequest + 1 } })],
    ['errors', () => ({ errors: { 'http-502': 1 } })],
  ])('differ in %s, by cell and repetition', async (figure, change) => {
    const first = await run(`${figure}-before`);
    const second = await run(figure, (cell) => (only(cell) ? { ...cell, ...change(cell) } : cell));
    const { differences } = sameCells(first, second);
    expect(differences).toMatchObject([{ cell: expect.stringMatching(/sidecar.*#2$/), figure }]);
  });

  it('differ in a repetition that only one has, unless common ones are compared', async () => {
    const first = await run('all');
    const second = await run('fewer', (cell) => (only(cell) ? undefined : cell));
    expect(sameCells(first, second).differences).toMatchObject([{ figure: 'cell', first: true, second: false }]);
    expect(sameCells(first, second, true)).toMatchObject({ compared: 3, differences: [] });
  });
});

it('npm run same-runs exits with 1 on a difference, and prints it', async () => {
  await run('same-a');
  await run('same-b');
  await run('other', (cell) => (only(cell) ? { ...cell, exposureBytes: { health: 7 } } : cell));
  const compare = (a: string, b: string): Promise<{ code: number; output: string }> => {
    const script = fileURLToPath(new URL('../bench/same-runs/same-runs.ts', import.meta.url));
    const args = ['--import', import.meta.resolve('tsx'), script, join(folder, a), join(folder, b)];
    return new Promise((resolve) => {
      execFile(process.execPath, args, (error, output) => resolve({ code: Number(error?.code ?? 0), output }));
    });
  };
  const same = await compare('same-a', 'same-b');
  expect(same).toMatchObject({ code: 0, output: expect.stringMatching(/^4 repetitions, \d+ figures: no difference/) });
  const other = await compare('same-a', 'other');
  expect(other).toMatchObject({ code: 1, output: expect.stringMatching(/sidecar.*#2: exposure\n.*\n.*"health":7/) });
});
