/** docs/questions.md: its commands work in a folder that `init` wrote, within the time that the page states. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { callTopoBench } from '../packages/cli/test/fixtures/in-process.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { root } from './fixtures/topo-bench.ts';

const page = readFileSync(join(root, 'docs/questions.md'), 'utf8');
const names = [...page.matchAll(/^\| .+\? \| `npx topo-bench run ([\w-]+)` \|$/gm)].map(([, name]) => name as string);
const folder = temporaryFolder();
let printed: string;
beforeAll(async () => {
  printed = (await callTopoBench(['init', '.'], { cwd: folder })).stdout;
});

it('the questions of the page are those that init prints', () => {
  expect(names).toHaveLength(5);
  expect([...printed.matchAll(/^ {2}npx topo-bench run ([\w-]+) +# .+\?$/gm)].map(([, name]) => name)).toEqual(names);
});

it.each(names)('%s takes less than five minutes, as the page states', async (name) => {
  expect(page).toMatch(/takes less than five\nminutes on two cores/);
  const args = ['run', name, '--dry-run', '--no-probe', '--json'];
  const { code, stdout, stderr } = await callTopoBench(args, { cwd: folder });
  expect(code, stderr).toBe(0);
  const { cells, estimatedSeconds } = JSON.parse(stdout) as { cells: unknown[]; estimatedSeconds: number };
  expect(cells.length).toBeGreaterThan(1);
  expect(estimatedSeconds).toBeLessThan(300);
});

it('the search of the page accepts its flags', async () => {
  const [, args = ''] = /^npx topo-bench (run .+ --find-max .+)$/m.exec(page) ?? [];
  const words = args.split(' ').map((word) => word.replaceAll("'", ''));
  expect(words).toContain('--find-max');
  const { code, stderr } = await callTopoBench([...words, '--dry-run', '--no-probe'], { cwd: folder });
  expect(code, stderr).toBe(0);
});

it('the factors of the page fit the experiment of init', async () => {
  const [, block = ''] = /^```yaml\n(factors:.*?)^```$/ms.exec(page) ?? [];
  const own = readFileSync(join(folder, 'experiment.yaml'), 'utf8');
  const others = own.replace(/^factors:\n( .*\n)+/m, '').replaceAll(/^(repetitions|deploy|turns):.*\n/gm, '');
  writeFileSync(join(folder, 'over-rates.yaml'), others + block);
  const args = ['run', 'over-rates.yaml', '--dry-run', '--no-probe', '--json'];
  const { code, stdout, stderr } = await callTopoBench(args, { cwd: folder });
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ repetitions: 4, cells: { length: 8 } });
});
