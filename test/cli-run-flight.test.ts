import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSamples } from '@topo-bench/results';
import type { AnyEntry } from '@topo-bench/studies';
import { describe, expect, it, vi } from 'vitest';
import { callTopoBench } from '../packages/cli/test/fixtures/in-process.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { startTopoBench, topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 180_000 });

const topology = `apiVersion: topo-bench/v1
kind: Topology
name: moved
services:
  - name: table
    arrow:
      flight: {}
      columns:
        - { name: a, type: int64 }
        - { name: region, type: text, values: [eu, us] }
        - { name: email, type: text, size: 20B, category: personal }
      facts: { origin: region }
rules: none.yaml
enforcement: { architecture: sidecar }
`;
const rules = (name: string, rule: string): string =>
  `apiVersion: topo-bench/v1\nkind: Rules\nname: ${name}\nrules: [${rule}]\n`;
const euOnly = `{ id: eu, effect: deny, when: { fact: request, path: $.origin, operator: equal, value: eu } },
  { id: none, effect: redact, redact: { remove: [/email] }, when: { fact: request, path: $.payload.a, operator: lessThan, value: 1000 } }`;
const experiment = `apiVersion: topo-bench/v1
kind: Experiment
name: moved
topology: moved.yaml
repetitions: 1
load: { driver: flight }
flight: { streams: 2, rows: 20000, batchRows: 1000 }
warmup: { window: 20ms, change: 90%, max: 300ms }
`;

describe('run, moving tables', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'experiment.yaml');
  writeFileSync(join(folder, 'moved.yaml'), topology);
  writeFileSync(join(folder, 'none.yaml'), rules('none', ''));
  writeFileSync(join(folder, 'strict.yaml'), rules('strict', euOnly));
  writeFileSync(file, `${experiment}factors: { operation: [get, put], rules: [none.yaml, strict.yaml] }\n`);

  it('reads and writes a table of a real service, under rules and without, checks it, and resumes an interrupted run', async () => {
    const out = join(folder, 'governed');
    const run = startTopoBench(['run', file, '--out', out], { cwd: folder });
    await run.saw('[2/4]');
    run.process.kill('SIGINT');
    expect((await run.ended).code).toBe(130);
    const { code, stdout, stderr } = await topoBench(['run', '--resume', out, '--json'], { cwd: folder });
    expect(code, stderr).toBe(0);
    const cells = JSON.parse(stdout).cells as AnyEntry[];
    expect(cells.map(({ factors }) => `${factors.operation} ${factors.rules}`).sort()).toEqual([
      'get none.yaml',
      'get strict.yaml',
      'put none.yaml',
      'put strict.yaml',
    ]);
    for (const cell of cells) {
      const { factors, flight, decisions, exposureBytes, resources, validity, samples } = cell;
      expect(validity, stderr).toMatchObject({ valid: true, reasons: [] });
      const strict = factors.rules === 'strict.yaml';
      expect(flight).toMatchObject({
        protocol: 'flight',
        streams: 2,
        batchRows: 1000,
        governed: { rules: strict ? 2 : 0, rows: 40_000 },
      });
      expect(decisions.allow + decisions.deny + decisions.redact).toBe(40_000);
      expect(decisions.wrong).toBe(0);
      expect(decisions.byRule).toEqual(strict ? { eu: decisions.deny, none: decisions.redact } : {});
      expect(exposureBytes.personal ?? 0).toBe(strict ? 20 * (decisions.deny + decisions.redact) : 0);
      // A service takes all rows, and gives only those that the rules let pass.
      expect(flight?.rows).toBe(factors.operation === 'get' ? 40_000 - decisions.deny : 40_000);
      expect(decisions.deny > 15_000).toBe(strict);
      expect(flight?.perStream).toHaveLength(2);
      expect(flight?.megabytesPerSecond).toBeGreaterThan(0);
      expect(cell.cpuUsPerRequest.total).toBeGreaterThan(0);
      expect(resources.service?.rssBytes).toBeGreaterThan(1e6);
      expect(await readSamples(join(out, samples as string))).toMatchObject([
        { outcome: 'completed' },
        { outcome: 'completed' },
      ]);
    }
    for (const { flight } of cells) {
      expect(flight?.checked.wrong).toBe(0);
      expect(flight?.checked.values).toBeGreaterThan(1000);
    }
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('What governance costs');

    const compared = await callTopoBench(['compare', out, '--within', 'operation', '--json'], { cwd: folder });
    expect(JSON.parse(compared.stdout), compared.stderr).toMatchObject({
      unit: 'MBps',
      cells: [{ metric: 'flight.megabytesPerSecond' }, { metric: 'flight.megabytesPerSecond' }],
    });
    const bounds = ['--threshold', 'MB/s > 0.001 MB/s', '--threshold', 'flight.rowsPerSecond > 1000000000000'];
    const gated = await callTopoBench(['gate', '--candidate', out, ...bounds], { cwd: folder });
    expect(gated.code, gated.stderr).toBe(1);
    expect(gated.stdout).toMatch(
      /pass {2}MB\/s > 0\.001 MB\/s\n +[\d.]+ MB\/s to [\d.]+ MB\/s; a plain comparison: .*\nFAIL/,
    );
  });

  it('measures every form of the same table, and reports what Flight saves', async () => {
    const set = ['--set', 'topology.rules=none.yaml', '--set', 'flight.rows=3000', '--set', 'streams=1'];
    const protocols = join(folder, 'protocols.yaml');
    writeFileSync(
      protocols,
      `${experiment}factors: { protocol: [flight, arrow, ndjson, json] }\nthresholds: [MB/s > 0.001]\n`,
    );
    const { code, stdout, stderr } = await topoBench(['run', protocols, '--out', 'protocols', ...set], { cwd: folder });
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(
      /protocol ndjson · operation get · streams 1 · rows 3000 .*: [\d.]+ MB\/s, [\d.]+ M rows\/s/,
    );
    expect(stdout).toMatch(/Flight moved [\d.]+ times as many rows per second as JSON \(interval unknown/);
    expect(stdout).toMatch(/Threshold MB\/s > 0\.001: passed, [\d.]+ MB\/s to/);
    const cells = JSON.parse(readFileSync(join(folder, 'protocols/cells.json'), 'utf8')) as AnyEntry[];
    expect(cells.map(({ flight }) => flight?.rows)).toEqual([3000, 3000, 3000, 3000]);
    for (const { flight } of cells) expect(flight?.checked).toMatchObject({ wrong: 0, values: expect.any(Number) });
    const bytes = cells.map(({ flight }) => flight?.bytes as number);
    expect(Math.max(...bytes) / Math.min(...bytes)).toBeLessThan(1.05);
  });
});
