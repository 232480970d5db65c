import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyEntry } from '@topo-bench/studies';
import { describe, expect, it, vi } from 'vitest';
import { callTopoBench } from '../packages/cli/test/fixtures/in-process.ts';
import { accessExperiment, cellsOf } from './fixtures/access-files.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describe('run, over a table that a client reads', () => {
  const folder = temporaryFolder();
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  const file = join(folder, 'experiment.yaml');
  const lines = `access: { rows: 1000 }
factors:
  source: [postgresql, parquet]
  variant: [native, connector-process, flight-process, columnar, columnar-process]
repetitions: 1`;
  writeFileSync(file, accessExperiment(lines));

  it('reads the same rows from every source in every variant, splits the time, and leaves no file behind', async () => {
    const options = { cwd: folder, env: { TMPDIR: temporary } };
    const { code, stdout, stderr } = await topoBench(['run', file, '--out', 'run', '--json'], options);
    expect(code, stderr).toBe(0);
    const cells = JSON.parse(stdout).cells as AnyEntry[];
    expect(cells).toHaveLength(10);
    for (const { access, validity, decisions } of cells) {
      expect(validity.reasons).toEqual([]);
      expect(access).toMatchObject({ rows: 1000, wrong: 0, expected: { rows: 1000 } });
      expect(decisions.wrong).toBe(0);
      const parts = Object.values(access?.parts ?? {}).reduce((sum, us) => sum + us, 0);
      expect(parts / (access?.durationUs ?? 0)).toBeCloseTo(1, 6);
      expect(access?.rowsPerSecond).toBeCloseTo(1000e6 / (access?.durationUs ?? 0), 6);
    }
    expect(new Set(cells.map(({ access }) => access?.checksum))).toHaveLength(1);
    expect(new Set(cells.map(({ access }) => access?.bytes))).toHaveLength(1);
    expect(cells.find(({ access }) => access?.source === 'postgresql')?.access?.store).toMatch(/^PostgreSQL \d/);
    expect(existsSync(join(folder, 'run', 'report.html'))).toBe(true);
    expect(readdirSync(temporary)).toEqual([]);
    const bytesOf = (variant: string, wire: string): number =>
      cells.find(({ access }) => access?.variant === variant && access.source === 'postgresql')?.access?.wireBytes[
        wire
      ] ?? Number.NaN;
    // The same driver reads the same rows in another process, and the same COPY in a server.
    for (const variant of ['connector-process', 'flight-process']) {
      const share = bytesOf(variant, 'postgresql → connector') / bytesOf('native', 'postgresql → client');
      expect(share, variant).toBeGreaterThan(0.7);
      expect(share, variant).toBeLessThan(1.5);
    }
    const columns = bytesOf('columnar-process', 'postgresql → flight-server');
    expect(columns / bytesOf('columnar', 'postgresql → client')).toBeGreaterThan(0.7);
    expect(columns / bytesOf('columnar', 'postgresql → client')).toBeLessThan(1.5);
    // The same lines go to the converter and to the client.
    const lines = bytesOf('flight-process', 'connector → flight-server');
    expect(lines / bytesOf('connector-process', 'connector → client')).toBeCloseTo(1, 1);
    for (const { access } of cells) {
      if (access?.variant !== 'flight-process') expect(access?.conversionUs).toBeUndefined();
      else {
        expect(access.conversionUs).toBeGreaterThan(0);
        expect(access.conversionUs).toBeLessThan(access.durationUs);
      }
    }
    const report = await callTopoBench(['report', 'run', '--format', 'md'], { cwd: folder });
    expect(report.stdout + report.stderr).toContain('native (A)');
    expect(report.stdout).toContain('of which conversion');
  });

  it('continues from the repetitions that it has', async () => {
    const kept = cellsOf(join(folder, 'run')).slice(0, 9);
    writeFileSync(join(folder, 'run', 'cells.json'), JSON.stringify(kept));
    const { code, stderr } = await topoBench(['run', '--resume', 'run'], { cwd: folder });
    expect(code, stderr).toBe(0);
    const cells = cellsOf(join(folder, 'run'));
    expect(cells.slice(0, 9)).toEqual(kept);
    expect(cells).toHaveLength(10);
    expect(cells[9]?.validity.valid).toBe(true);
  });
});
