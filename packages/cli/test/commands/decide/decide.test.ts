/** Records and confirmations of runs on a backend in memory, whose times are known. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { confirmationFile } from '@topo-bench/core/schema/confirmation';
import { decisionDocument } from '@topo-bench/core/schema/decision';
import { parseSource } from '@topo-bench/topology';
import type { ExperimentCell } from '@topo-bench/trial';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../../test/fixtures/small-files.ts';
import { fakeBackend } from '../../../../experiment/test/fixtures/fake-backend.ts';
import { runOn } from '../../../src/commands/run/action.ts';
import { callTopoBench, inProcess } from '../../fixtures/in-process.ts';

const folder = temporaryFolder();
const head = 'apiVersion: topo-bench/v1\n';
writeFileSync(
  join(folder, 'chain.yaml'),
  `${head}kind: Topology
name: chain
nodes: [{ name: a, region: eu }, { name: b, region: us }]
links: [{ from: eu, to: us, delay: 10ms }]
services: [{ generate: 2 }]
rules: rules.yaml
`,
);
writeFileSync(
  join(folder, 'rules.yaml'),
  `${head}kind: Rules
name: rules
rules:
  - { id: no-us, when: { fact: target, path: $.region, operator: equal, value: us }, effect: deny }
`,
);
const experiment = (rates: string) => `${head}kind: Experiment
name: shop
topology: chain.yaml
factors: { architecture: [none, central-entity, sidecar], rate: ${rates} }
deploy: interleaved
repetitions: 8
`;
writeFileSync(join(folder, 'shop.yaml'), experiment('[100]'));
writeFileSync(join(folder, 'rates.yaml'), experiment('[20, 100, 180, 260]'));

let runs = 0;

/** @param timeUs of one setting, to which every repetition adds some noise that all levels share */
async function measured(file: string, timeUs: (cell: ExperimentCell['levels']) => number): Promise<string> {
  const out = `run-${++runs}`;
  const timesUs = ({ levels }: ExperimentCell, repetition: number) => {
    const own = Math.sin(repetition * 7 + String(levels.architecture).length);
    return [timeUs(levels) * (1 + 0.01 * Math.sin(repetition) + 0.002 * own)];
  };
  const { backend } = fakeBackend({ timesUs });
  const before = process.cwd();
  process.chdir(folder);
  const { code, stderr } = await inProcess(() => runOn(backend, file, { out, quiet: true }));
  process.chdir(before);
  expect(code, stderr).toBe(0);
  return out;
}

const decide = (...args: string[]) => callTopoBench(['decide', ...args], { cwd: folder });
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
const confirmation = (file: string) => confirmationFile.parse(parseSource({ text: read(file), file }).value);
const sidecarWins = ({ architecture }: ExperimentCell['levels']) =>
  ({ none: 9_000, sidecar: 10_000, 'central-entity': 12_000 })[String(architecture)] as number;

describe('topo-bench decide', () => {
  it('refuses runs of two experiments, and a record that cannot be written, before it computes anything', async () => {
    const [one, other] = [await measured('shop.yaml', sidecarWins), await measured('rates.yaml', sidecarWins)];
    const two = await decide(one, other, '--adr', 'two.md');
    expect([two.code, two.stderr]).toEqual([2, expect.stringContaining('the runs are of two experiments')]);
    const place = await decide('no-such-run', '--adr', '.');
    expect([place.code, place.stderr]).toEqual([2, expect.stringContaining('--adr .: got a folder, expected a file')]);
    expect((await decide(one, '--adr', 'new/folder/record.md')).code).toBe(0);
    expect(read('new/folder/record.confirm.yaml')).toContain('kind: Confirmation');
  });

  it('chooses the option that is shown to be best, with figures, premises and the file that confirms them', async () => {
    const run = await measured('shop.yaml', sidecarWins);
    const { code, stdout, stderr } = await decide(run, '--adr', 'best.md', '--price-per-core-hour', '0.04EUR');
    expect([code, stdout, stderr]).toEqual([0, expect.stringContaining('chosen:       sidecar\n'), '']);
    const text = read('best.md');
    expect(text.match(/^#{1,3} .*/gm)).toEqual([
      '# Enforcement architecture of chain: sidecar',
      '## Context and Problem Statement',
      '## Decision Drivers',
      '## Considered Options',
      '## Decision Outcome',
      '### Time, CPU, exposure and cost',
      '### Consequences',
      '### Sensitivity',
      '### Confirmation',
      '## Pros and Cons of the Options',
      '### none',
      '### central-entity',
      '### sidecar',
      '## More Information',
    ]);
    expect(text).toMatch(/^---\nstatus: proposed\ndate: \d{4}-\d\d-\d\d\n---\n/);
    expect(text).toContain(
      'sends a request through 2 services on 2 nodes in 2 regions (eu, us). Its rule file has 1 rule; up to 1 of them',
    );
    expect(text).toContain('Chosen option: "sidecar", because it is shown to have the lowest median round-trip time');
    expect(text).toMatch(
      /Good, because central-entity against sidecar: median round-trip time \+(19|20)\.\d%, shown to be slower \(95% interval .*, 8 and 8 valid/,
    );
    expect(text).toContain('All 24 repetitions are valid.');
    expect(text).toContain('not known');
    expect(confirmation('best.confirm.yaml')).toMatchObject({
      ...{ experiment: 'shop.yaml', record: 'best.md', chosen: 'sidecar', alternative: 'central-entity' },
      premises: {
        rate: { max: 100, from: 'metrics' },
        services: { min: 2, max: 2, from: 'files' },
        rules: { min: 1, max: 1, from: 'files' },
        rulesPerService: { min: 1, max: 1, from: 'files' },
        linkDelayMs: { min: 10, max: 10, from: 'files' },
      },
      thresholds: ['rtt.median < +5%'],
    });
    expect((await callTopoBench(['validate', 'best.confirm.yaml'], { cwd: folder })).code).toBe(0);
  });

  it('ends with 5 where no difference is shown, and takes the option that is named', async () => {
    const run = await measured('shop.yaml', () => 10_000);
    const undecided = await decide(run, '--adr', 'equal.md');
    expect([undecided.code, undecided.stderr]).toEqual([
      5,
      expect.stringContaining('no option is shown to be the fastest'),
    ]);
    expect(existsSync(join(folder, 'equal.md'))).toBe(false);
    const { code } = await decide(run, '--adr', 'equal.md', '--option', 'central-entity');
    expect([code, read('equal.md')]).toEqual([
      0,
      expect.stringContaining('chosen by hand: none of the options that enforce rules is shown'),
    ]);
    const unknown = await decide(run, '--adr', 'other.md', '--option', 'sidecars');
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('sidecar')]);
  });

  it('allows an option that is chosen against the figures to be as slow as it was', async () => {
    const run = await measured('shop.yaml', sidecarWins);
    const { code } = await decide(run, '--adr', 'slow.md', '--option', 'central-entity');
    expect([code, read('slow.md')]).toEqual([0, expect.stringContaining('although sidecar is shown')]);
    expect(confirmation('slow.confirm.yaml').thresholds).toEqual(['rtt.median < +26%']);
  });

  it('states where the order changes, and ends the premise there', async () => {
    // Equal at 140 req/s.
    const crossing = ({ architecture, rate }: ExperimentCell['levels']) =>
      architecture === 'sidecar' ? 10_000 + 10 * (Number(rate) - 140) : architecture === 'none' ? 5000 : 10_000;
    const run = await measured('rates.yaml', crossing);
    const refused = await decide(run, '--adr', 'rates.md');
    expect([refused.code, refused.stderr]).toEqual([
      5,
      expect.stringContaining('no option is shown to be the fastest'),
    ]);
    const { code, stdout } = await decide(run, '--adr', 'rates.md', '--option', 'sidecar', '--json');
    expect(code).toBe(0);
    const document = decisionDocument.parse(JSON.parse(stdout));
    const [, at, low, high] =
      /^Over rate from 20 to 260, measured: sidecar stops being faster than central-entity at about (\d+) req\/s \(95% band (\d+) req\/s to (\d+) req\/s\)\.$/.exec(
        document.sensitivity[0] ?? '',
      ) ?? [];
    expect(Number(at)).toBeGreaterThan(130);
    expect(Number(at)).toBeLessThan(150);
    expect([Number(low) <= Number(at), Number(at) <= Number(high)]).toEqual([true, true]);
    expect(document.premises.rate).toEqual({ max: 100, from: 'metrics' });
    expect(document).toMatchObject({ chosen: 'sidecar', byHand: true, best: null, settings: 4, source: 'measured' });
  });

  it('replaces what people wrote on request only, and escapes every text', async () => {
    const run = await measured('shop.yaml', sidecarWins);
    writeFileSync(join(folder, 'own.md'), 'ours');
    const kept = await decide(run, '--adr', 'own.md');
    expect([kept.code, read('own.md')]).toEqual([2, 'ours']);
    expect(kept.stderr).toContain('--force');
    await decide(run, '--adr', 'own.md', '--force', '--title', '<b>x</b> [a](b)\n## c');
    expect(read('own.md')).toContain('\n# &lt;b&gt;x&lt;/b&gt; \\[a\\](b) \\#\\# c\n');
  });

  it('refuses runs in which nothing varies', async () => {
    const { backend } = fakeBackend({ timesUs: () => [1000] });
    const out = join(folder, 'single');
    await inProcess(() => runOn(backend, join(folder, 'shop.yaml'), { out, only: [['architecture', 'sidecar']] }));
    const { code, stderr } = await decide('single', '--adr', 'single.md');
    expect([code, stderr]).toEqual([2, expect.stringContaining('nothing to decide')]);
  });
});
