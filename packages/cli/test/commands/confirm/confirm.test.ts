/** A decision that is confirmed, and fails when a premise or a threshold no longer holds. On a backend in memory. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExperimentCell } from '@topo-bench/trial';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../../test/fixtures/small-files.ts';
import { fakeBackend } from '../../../../experiment/test/fixtures/fake-backend.ts';
import { confirmOn } from '../../../src/commands/confirm/action.ts';
import type { ConfirmFlags } from '../../../src/commands/confirm/options.ts';
import { runOn } from '../../../src/commands/run/action.ts';
import { callTopoBench, inProcess } from '../../fixtures/in-process.ts';

const folder = temporaryFolder();
const path = (name: string): string => join(folder, name);
const head = 'apiVersion: topo-bench/v1\n';
const write = (name: string, text: string): void => writeFileSync(path(name), text);
const topology = (services: number) => `${head}kind: Topology
name: chain
nodes: [{ name: a, region: eu }, { name: b, region: us }]
links: [{ from: eu, to: us, delay: 10ms }]
services: [{ generate: ${services} }]
rules: rules.yaml
`;
const rule = (id: string) =>
  `  - { id: ${id}, when: { fact: target, path: $.region, operator: equal, value: us }, effect: deny }\n`;
const rules = (ids: readonly string[]) => `${head}kind: Rules\nname: rules\nrules:\n${ids.map(rule).join('')}`;

const timesUs =
  (sidecarUs: number, spread = 0.005) =>
  ({ levels, graph, side }: ExperimentCell, repetition: number) => {
    const architecture = String(levels.architecture ?? graph.enforcement.architecture);
    const own = architecture === 'sidecar' ? sidecarUs : 12_000;
    return [own * (1 + spread * Math.sin(repetition * (side === 'candidate' ? 7 : 5)))];
  };

beforeAll(async () => {
  write('chain.yaml', topology(2));
  write('rules.yaml', rules(['one']));
  write(
    'shop.yaml',
    `${head}kind: Experiment
name: shop
topology: chain.yaml
factors: { architecture: [central-entity, sidecar] }
load: { rate: 140 }
deploy: interleaved
repetitions: 8
`,
  );
  const before = process.cwd();
  process.chdir(folder);
  await inProcess(() => runOn(fakeBackend({ timesUs: timesUs(10_000) }).backend, 'shop.yaml', { out: 'run' }));
  process.chdir(before);
  expect((await callTopoBench(['decide', 'run', '--adr', 'adr.md'], { cwd: folder })).code).toBe(0);
});

const file = path('adr.confirm.yaml');
let runs = 0;

async function measured(sidecarUs: number, flags: Partial<ConfirmFlags> = {}, spread?: number) {
  const fake = fakeBackend({ timesUs: timesUs(sidecarUs, spread) });
  const out = path(`confirm-${++runs}`);
  const ended = await inProcess(() => confirmOn(fake.backend, file, { maxTime: 60e6, out, quiet: true, ...flags }));
  return { ...ended, ...fake };
}

const premisesOnly = (...args: string[]) => callTopoBench(['confirm', file, '--premises-only', ...args]);

describe('topo-bench confirm', () => {
  it('passes with all premises and thresholds, in every form', async () => {
    const [junit, markdown] = [path('ok.xml'), path('ok.md')];
    const { code, stdout, stderr, openBeds } = await measured(10_000, { junit, markdown });
    expect([code, openBeds()], stderr).toEqual([0, 0]);
    expect(stdout).toContain('pass  premise: services 2\n      services are now 2\n');
    expect(stdout).toContain('pass  rtt.median < +5%');
    expect(stdout).toContain('note: not observed: rate; give their values with --metrics FILE');
    expect(stdout).toContain('The confirmation passed.');
    expect(readFileSync(junit, 'utf8')).toContain('<testsuites name="topo-bench confirmation" tests="5" failures="0"');
    expect(readFileSync(markdown, 'utf8')).toContain('### Confirmation of the decision: ✅ passed');
  });

  it('fails when the option is no longer better, and cannot tell when the pairs differ too much', async () => {
    const slower = await measured(14_000, { json: true });
    expect(slower.code).toBe(1);
    const { verdict, thresholds } = JSON.parse(slower.stdout);
    expect([verdict, thresholds.at(-1)]).toMatchObject(['failed', { threshold: 'rtt.median < +5%', passed: false }]);
    expect((await measured(12_000, { maxTime: 1 }, 0.5)).code).toBe(5);
  });

  it('fails with the premise that the traffic broke, and measures nothing then', async () => {
    write('now.yaml', 'rate: 180\n');
    const { code, stdout, log } = await measured(10_000, { metrics: path('now.yaml') });
    expect([code, log]).toEqual([1, []]);
    expect(stdout).toContain(
      'FAIL  premise: rate at most 140 req/s\n      traffic is now 180 req/s, and the decision was made for rate at most 140 req/s\n',
    );
    write('now.prom', 'rate{job="shop"} 120\n');
    const below = await premisesOnly('--metrics', path('now.prom'));
    expect([below.code, below.stdout]).toEqual([0, expect.stringContaining('traffic is now 120 req/s')]);
    write('other.yaml', 'services: 2\n');
    const missing = await premisesOnly('--metrics', path('other.yaml'));
    expect([missing.code, missing.stdout]).toEqual([5, expect.stringContaining('the metrics file has no rate')]);
  });

  it('cannot tell by the premises alone while one of them is not observed', async () => {
    const { code, stdout } = await premisesOnly();
    expect([code, stdout]).toEqual([
      5,
      expect.stringContaining(
        'premise: rate at most 140 req/s\n      not observed: give its value with --metrics FILE',
      ),
    ]);
    const alone = readFileSync(file, 'utf8').replace(/ {2}services:[\s\S]*?(?=thresholds)/, '');
    write('alone.confirm.yaml', alone);
    expect((await callTopoBench(['confirm', path('alone.confirm.yaml'), '--premises-only'])).code).toBe(5);
    write('none.confirm.yaml', alone.replace(/premises:[\s\S]*?(?=thresholds)/, 'premises: {}\n'));
    expect((await callTopoBench(['confirm', path('none.confirm.yaml'), '--premises-only'])).code).toBe(5);
  });

  it('fails with the premise that the files broke', async () => {
    write('rate.yaml', 'rate: 100\n');
    expect((await premisesOnly('--metrics', path('rate.yaml'))).code).toBe(0);
    write('chain.yaml', topology(4));
    const more = await premisesOnly();
    write('chain.yaml', topology(2));
    expect([more.code, more.stdout]).toEqual([
      1,
      expect.stringContaining('services are now 4, and the decision was made for services 2'),
    ]);
    write('rules.yaml', rules(['one', 'two']));
    const stricter = await premisesOnly();
    write('rules.yaml', rules(['one']));
    expect(stricter.code).toBe(1);
    expect(stricter.stdout).toContain('rules per service are now 2');
    write('chain.yaml', topology(2).replace('10ms', '25ms'));
    const farther = await premisesOnly('--json');
    write('chain.yaml', topology(2));
    expect(farther.code).toBe(1);
    expect(JSON.parse(farther.stdout).thresholds.at(-2)).toMatchObject({
      metric: 'linkDelayMs',
      verdict: 'failed',
      reason: 'the longest link delay is now 25 ms, and the decision was made for link delay 10 ms',
    });
  });

  it('reads what the files have, not the levels that an experiment varies', async () => {
    const shop = readFileSync(path('shop.yaml'), 'utf8');
    write('sizes.yaml', shop.replace('factors: {', 'factors: { services: [2, 4],'));
    const sizes = readFileSync(file, 'utf8').replace('shop.yaml', 'sizes.yaml').replace('min: 2\n    max: 2', 'max: 4');
    write('sizes.confirm.yaml', sizes.replace(/ {2}rules:[\s\S]*?(?= {2}linkDelayMs)/, ''));
    write('rate.yaml', 'rate: 100\n');
    const args = ['--premises-only', '--metrics', path('rate.yaml')];
    const confirm = () => callTopoBench(['confirm', path('sizes.confirm.yaml'), ...args]);
    expect((await confirm()).code).toBe(0);
    write('chain.yaml', topology(6));
    const { code, stdout } = await confirm();
    write('chain.yaml', topology(2));
    expect([code, stdout]).toEqual([1, expect.stringContaining('services are now 6')]);
  });

  it('pairs the repetitions of both options in a run, which drift together', async () => {
    const drifting = (cell: ExperimentCell, repetition: number) =>
      timesUs(10_000)(cell, repetition).map((us) => us * (1 + 0.4 * Math.sin(repetition)));
    const { backend } = fakeBackend({ timesUs: drifting });
    await inProcess(() => runOn(backend, path('shop.yaml'), { out: path('drifting') }));
    const { code, stdout } = await callTopoBench(['confirm', file, '--run', path('drifting')]);
    expect(code, stdout).toBe(0);
  });

  it('judges a run that has both options, and refuses one without', async () => {
    const { code, stdout } = await callTopoBench(['confirm', file, '--run', path('run')]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('pass  rtt.median < +5%')]);
    const run = async (out: string, only: [string, string][] = []) => {
      const { backend } = fakeBackend({ timesUs: timesUs(14_000) });
      await inProcess(() => runOn(backend, path('shop.yaml'), { out: path(out), only }));
      return callTopoBench(['confirm', file, '--run', path(out)]);
    };
    expect((await run('slower')).code).toBe(1);
    const lacking = await run('lacking', [['architecture', 'sidecar']]);
    expect([lacking.code, lacking.stderr]).toEqual([
      2,
      expect.stringContaining('has no cell with architecture central'),
    ]);
  });

  it('exits with 2 for a file that is no confirmation, with its problems', async () => {
    write('bad.yaml', `${readFileSync(file, 'utf8').replace('chosen: sidecar\n', '').replace('max: 140', 'max: -1')}`);
    const { code, stderr } = await callTopoBench(['confirm', path('bad.yaml'), '--premises-only']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('lacks the key "chosen"')]);
    expect(stderr).toContain('premises.rate.max');
    const both = await callTopoBench(['confirm', file, '--premises-only', '--run', 'x']);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--premises-only and --run exclude')]);
    expect((await callTopoBench(['confirm', path('none.yaml')])).code).toBe(2);
  });
});
