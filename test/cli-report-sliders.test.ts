/** `report` with a calibration, as users call it: sliders in the page of a run. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readHostEnvironment } from '@topo-bench/host';
import { open } from '@topo-bench/workbench';
import { beforeAll, expect, it } from 'vitest';
import { callTopoBench } from '../packages/cli/test/fixtures/in-process.ts';
import { onFake, shop } from '../packages/workbench/test/fixtures/shop.ts';
import { fitted } from '../packages/workshop/test/fixtures/opened-workshop.ts';
import { temporaryFolder } from './fixtures/small-files.ts';

const folder = temporaryFolder();
const report = (...args: string[]) =>
  callTopoBench(['report', 'run', ...args], { cwd: folder, env: { XDG_DATA_HOME: join(folder, 'data') } });
const page = (): string => readFileSync(join(folder, 'run/report.html'), 'utf8');

/** A calibration of a machine, as `calibrate` writes it. */
function calibrationOf(name: string, cpuModel: string): string {
  const { fit, ...known } = fitted([]);
  return JSON.stringify({
    ...known,
    name,
    cores: readHostEnvironment().cores,
    fit: { ...fit, cells: [], cpuModel, node: process.versions.node },
  });
}

beforeAll(async () => {
  await (await open(shop())).run({ ...onFake().setting, folder: join(folder, 'run') });
  writeFileSync(join(folder, 'theirs.json'), calibrationOf('theirs', 'M9'));
});

it('a page has sliders where a calibration of the machine of the run is found', async () => {
  expect((await report()).code).toBe(0);
  const without = page();
  expect(without.includes('what-if')).toBe(false);
  mkdirSync(join(folder, 'data/topo-bench/calibrations'), { recursive: true });
  const own = calibrationOf('own', readHostEnvironment().cpuModel);
  writeFileSync(join(folder, 'data/topo-bench/calibrations/own.json'), own);
  expect((await report()).code).toBe(0);
  const mark = /class="mark simulated">([^<]+)</;
  expect(mark.exec(page())?.[1]).toBe('simulated · own, fitted to 0 cells: missed the median of held-out cells by 7%');
  // Shared pages stay small, and carry the licences of the simulator.
  expect(page().length - without.length).toBeLessThan(320_000);
  const [, simulator = ''] = page().split('id="simulator">');
  const [packed = '', ...licences] = simulator.split('\n');
  expect([/^[\w+/=]+$/.test(packed), licences.some((line) => line.startsWith('zod '))]).toEqual([true, true]);
});

it('a calibration of another machine is refused, unless it is accepted', async () => {
  const refused = await report('--calibration', 'theirs.json');
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringMatching(/theirs\.json was measured on M9 with Node\.js \d+: got .* in the run/),
  ]);
  expect((await report('--calibration', 'theirs.json', '--foreign-calibration')).code).toBe(0);
  expect(page()).toMatch(/simulated · theirs, .* on one machine, unknown here</);
  expect(page().includes('It was measured on another machine than this run.')).toBe(true);
});

it('a folder of calibrations that cannot be read leaves the page without sliders', async () => {
  writeFileSync(join(folder, 'calibrations'), '');
  const { code, stderr } = await report();
  rmSync(join(folder, 'calibrations'));
  expect([code, stderr]).toEqual([0, expect.stringContaining('warning: no sliders in the report: ENOTDIR')]);
  expect(page().includes('what-if')).toBe(false);
});

it.each([
  [['--format', 'md'], '--format md'],
  [['run', '--out', 'both.html'], '2 runs'],
  [['--list'], 'a list of runs'],
  [['--summary'], '--summary'],
])('a calibration needs a page of one run: %s', async (flags, got) => {
  const { code, stderr } = await report(...flags, '--calibration', 'theirs.json');
  expect([code, stderr]).toEqual([2, expect.stringContaining(`to the page of one run: got ${got}`)]);
});
