/** From a measured run to a decision, its confirmation by new measurements, and a premise that breaks it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from './fixtures/small-files.ts';
import { startTopoBench } from './fixtures/topo-bench.ts';

const folder = temporaryFolder();
const head = 'apiVersion: topo-bench/v1\n';
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const topoBench = (...args: string[]) => startTopoBench(args, { cwd: folder }).ended;

it('decides, confirms, and fails once a premise is broken', async () => {
  write('chain.yaml', `${head}kind: Topology\nname: chain\nservices: [{ generate: 2 }]\n`);
  write(
    'shop.yaml',
    `${head}kind: Experiment
name: shop
topology: chain.yaml
factors: { architecture: [central-entity, sidecar] }
load: { rate: 20 }
duration: 1s
warmup: { requests: 20, max: 1s }
repetitions: 2
deploy: interleaved
`,
  );
  const run = await topoBench('run', 'shop.yaml', '--out', 'run', '--quiet');
  expect(run.code, run.stderr).toBe(0);
  // Two repetitions show nothing, so the choice is made by hand, with a threshold that no machine exceeds.
  expect((await topoBench('decide', 'run', '--adr', 'adr.md')).code).toBe(5);
  const by = ['--option', 'sidecar', '--threshold', 'rtt.median < 10s'];
  const decided = await topoBench('decide', 'run', '--adr', 'adr.md', ...by);
  expect(decided.code, decided.stderr).toBe(0);
  expect(readFileSync(join(folder, 'adr.md'), 'utf8')).toContain('none of the options that enforce rules is shown');
  const confirm = (...args: string[]) => topoBench('confirm', 'adr.confirm.yaml', ...args);
  const measured = await confirm('--max-time', '1s', '--out', 'again', '--quiet');
  expect(measured.code, measured.stdout + measured.stderr).toBe(0);
  expect(measured.stdout).toContain('pass  rtt.median < 10s');
  expect(existsSync(join(folder, 'again/candidate/run.json'))).toBe(true);
  write('chain.yaml', `${head}kind: Topology\nname: chain\nservices: [{ generate: 3 }]\n`);
  const broken = await confirm('--junit', 'confirm.xml');
  expect([broken.code, broken.stdout]).toEqual([1, expect.stringContaining('services are now 3')]);
  expect(readFileSync(join(folder, 'confirm.xml'), 'utf8')).toContain('<failure message="services are now 3');
}, 240_000);
