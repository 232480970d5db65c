/** Questions of a simulated system, as a user asks them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Condition, openRun, sustainedRates } from '@topo-bench/results';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../../test/fixtures/small-files.ts';
import { callTopoBench } from '../../fixtures/in-process.ts';

const folder = temporaryFolder();
let runs = 0;
const newFolder = (): string => join(folder, `run-${++runs}`);
const simulate = (...args: string[]) => callTopoBench(['simulate', ...args, '--calibration', 'assumed-two-cores']);
const head = 'apiVersion: topo-bench/v1\n';
writeFileSync(join(folder, 'chain.yaml'), `${head}kind: Topology\nname: chain\nservices: [{ generate: 2 }]\n`);
const shop = join(folder, 'shop.yaml');
writeFileSync(
  shop,
  `${head}kind: Experiment
name: shop
topology: chain.yaml
factors: { architecture: [none, sidecar] }
load: { rate: 100 }
duration: 1s
repetitions: 2
`,
);

describe('questions of a simulated system', () => {
  it('--break-even simulates seven levels, and prints curves with intervals as text and as JSON', async () => {
    const file = join(folder, 'two.yaml');
    writeFileSync(file, readFileSync(shop, 'utf8').replace('[none, sidecar]', '[central-entity, sidecar]'));
    const asked = ['--break-even', 'rate=20..80', '--repetitions', '8', '--quiet'];
    const { code, stdout, stderr } = await simulate(file, ...asked, '--out', newFolder());
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^Simulated, not measured: /);
    expect(stdout).toMatch(/Over rate from 20 to 80, simulated: .*sidecar.*central-entity/);
    expect(stdout.match(/^ {2}\d+ req\/s +[+−]\d.*%.* … /gm)).toHaveLength(7);
    const json = await simulate(file, ...asked, '--json', '--out', newFolder());
    const { simulation, along, curves } = JSON.parse(json.stdout);
    expect([along, curves.length, simulation]).toEqual(['rate', 1, expect.stringContaining('assumptions')]);
    expect(curves[0].points.map(({ at, source }: { at: number; source: string }) => [at, source])).toEqual(
      [20, 30, 40, 50, 60, 70, 80].map((rate) => [rate, 'simulated']),
    );
    const one = await simulate(shop, '--break-even', 'rate=80..20');
    expect([one.code, one.stderr]).toEqual([2, expect.stringContaining('rate=20..400')]);
  });

  it('--find-max finds a rate below that which the bottleneck bears, wherever the search starts', async () => {
    for (const rate of [20, 400]) {
      const out = newFolder();
      const asked = ['--set', `rate=${rate}`, '--find-max', 'p95<5s', '--quiet', '--out', out];
      const { code, stdout, stderr } = await simulate(shop, ...asked, '--only', 'architecture=sidecar');
      expect(code, stderr).toBe(0);
      const { record, cells } = await openRun(out);
      const [line] = sustainedRates(record.search?.condition as Condition, record.plannedCells, cells);
      const [{ maxRps = 0 } = {}] = cells.flatMap(({ prediction }) => prediction ?? []);
      expect(line?.lowRps).toBeGreaterThan(0.5 * maxRps);
      expect(line?.lowRps).toBeLessThan(maxRps);
      expect(stdout).toMatch(/^In a simulation.* no longer at .*, where it is unstable:\sthe\s(host|process) /m);
      expect((await callTopoBench(['report', out, '--summary'])).code).toBe(0);
      expect(readFileSync(join(out, 'summary.html'), 'utf8')).not.toMatch(/<td[^>]*>–<\/td>/);
    }
  });

  it('--find-max searches the rate that each architecture bears', async () => {
    const { code, stdout, stderr } = await simulate(shop, '--find-max', 'p95<12ms', '--quiet', '--out', newFolder());
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/none meets p95<12ms at [\d.]+ req\/s/);
    expect(stdout).toMatch(/^Simulated, not measured: /);
  });

  it('--sensitivity ranks assumptions, and marks those that are assumed', async () => {
    const { code, stdout, stderr } = await simulate(shop, '--sensitivity', '--repetitions', '6', '--quiet');
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/which is assumed\.\nThe median round-trip time of none is −\d.* against sidecar/);
    expect(stdout).toMatch(/^assumption +source +÷ 1\.25 +× 1\.25 +moves by$/m);
    expect(stdout).toMatch(/^(rate|work) +stated /m);
    const few = await simulate(shop, '--sensitivity', '--repetitions', '2');
    expect([few.code, few.stderr]).toEqual([2, expect.stringContaining('fewer than six')]);
    const both = await simulate(shop, '--sensitivity', '--find-max', 'p95<12ms');
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--sensitivity and --find-max')]);
  });

  it('a crash loses as many requests as its model expects', async () => {
    const [file, out] = [join(folder, 'crash.yaml'), newFolder()];
    const crash = 'events: [{ at: 1s, crash: point of svc-1, restart: 500ms }]\nduration: 2s\ndrain: 1s\n';
    writeFileSync(
      file,
      readFileSync(shop, 'utf8').replace('none, sidecar', 'sidecar').replace('duration: 1s\n', crash),
    );
    const { code, stdout, stderr } = await simulate(file, '--repetitions', '8', '--quiet', '--out', out);
    expect(code, stderr).toBe(0);
    const { cells } = await openRun(out);
    const crashes = cells.flatMap(({ events = [] }) => events);
    expect(crashes).toHaveLength(8);
    const sumOf = (figure: (event: (typeof crashes)[number]) => number): number =>
      crashes.reduce((sum, event) => sum + figure(event), 0);
    const expected = sumOf((event) => event.expected as number);
    const unserved = sumOf(({ effects }) => (effects ? effects.lost + effects.failed + effects.late : 0));
    // Half a second of 100 requests per second, eight times. Arrivals are a Poisson process: four standard deviations.
    expect(expected / 8).toBeGreaterThan(50);
    expect(Math.abs(unserved - expected)).toBeLessThan(4 * Math.sqrt(expected));
    expect(stdout).toContain('Simulated');
  });

  it('stand in the record of `decide`, marked as simulated', async () => {
    const file = join(folder, 'both.yaml');
    writeFileSync(
      file,
      readFileSync(shop, 'utf8').replace('[none, sidecar]', '[central-entity, sidecar], rate: [100, 400]'),
    );
    const [out, adr] = [newFolder(), join(folder, 'adr.md')];
    expect((await simulate(file, '--only', 'rate=100', '--quiet', '--out', out)).code).toBe(0);
    const flags = ['--option', 'sidecar', '--calibration', 'assumed-two-cores'];
    const { code, stderr } = await callTopoBench(['decide', out, '--adr', adr, ...flags]);
    expect(code, stderr).toBe(0);
    const [, sensitivity = ''] = /### Sensitivity\n\n([^#]*)/.exec(readFileSync(adr, 'utf8')) ?? [];
    expect(readFileSync(adr, 'utf8')).toMatch(/^Simulated, not measured: .*from assumptions \(assumed-two-cores\)/m);
    expect(sensitivity).toMatch(/^\* Over rate from 50 to 200, simulated: /m);
    expect(sensitivity).toMatch(
      /^\* Simulated by assumed-two-cores: central-entity has −\d.* against sidecar in the median; /m,
    );
  });
});
