import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyEntry } from '@topo-bench/studies';
import { expect, it, onTestFinished } from 'vitest';
import { smallDisk } from './fixtures/small-disk.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { topoBench } from './fixtures/topo-bench.ts';

const folder = temporaryFolder();
const cells = (): AnyEntry[] => JSON.parse(readFileSync(join(folder, 'run', 'cells.json'), 'utf8')) as AnyEntry[];

it('a full disk ends a run that loads a file, and the run resumes elsewhere with what it has', async ({ skip }) => {
  const disk = smallDisk(join(folder, 'disk'), 'size=1m');
  if (typeof disk === 'string') return skip(disk);
  onTestFinished(disk.unmount);
  // The seed places the small table first.
  writeFileSync(
    join(folder, 'experiment.yaml'),
    `apiVersion: topo-bench/v1
kind: Experiment
name: disk
access: { source: parquet, variant: native }
factors: { volume: [1000, 100000] }
repetitions: 1
seed: 4
validity: { remeasure: 0% }
`,
  );
  const args = ['run', 'experiment.yaml', '--out', 'run'];
  const { code, stderr } = await topoBench(args, { cwd: folder, env: { TMPDIR: disk.folder } });
  expect(stderr).toMatch(
    /error TB_SOURCE_DISK_FULL: cannot load file .*store_sales_100000_4\.parquet: the disk is full \(ENOSPC/,
  );
  expect(stderr).toContain('name a larger folder for temporary files with TMPDIR');
  expect(stderr).toContain('finished repetitions are kept; continue with: topo-bench run --resume run');
  expect(code).toBe(3);
  expect(readdirSync(disk.folder)).toEqual([]);
  const [first, ...others] = cells();
  expect(others).toEqual([]);
  expect(first?.access).toMatchObject({ rows: 1000, wrong: 0 });
  expect(first?.validity.valid).toBe(true);

  const resumed = await topoBench(['run', '--resume', 'run'], { cwd: folder });
  expect(resumed.code, resumed.stderr).toBe(0);
  expect(cells()).toEqual([first, expect.objectContaining({ validity: expect.objectContaining({ valid: true }) })]);
  expect(cells()[1]?.access).toMatchObject({ rows: 100_000, wrong: 0 });
}, 60_000);
