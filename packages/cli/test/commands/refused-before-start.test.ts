/** Flags and files that `run` and `gate` refuse before anything is started: error, exit code and way out. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/fixtures/small-files.ts';
import { start } from '../../src/main.ts';
import { inProcess } from '../fixtures/in-process.ts';

const here = temporaryFolder();
const head = 'apiVersion: topo-bench/v1\n';
const experiment = join(here, 'experiment.yaml');
writeFileSync(join(here, 'topology.yaml'), `${head}kind: Topology\nname: chain\nservices: [{ generate: 2 }]\n`);
writeFileSync(
  experiment,
  `${head}kind: Experiment\nname: shop\ntopology: topology.yaml\nfactors: { architecture: [none, sidecar] }\n`,
);
const topoBench = (args: readonly string[]) => inProcess(() => start(args));

describe('gate --experiment', () => {
  const both = ['--candidate-ref', here, '--baseline-ref', here];
  const never = join(here, 'never');

  it.each([
    [[], 2, 'TB_USAGE', '--experiment needs --candidate-ref or --candidate-set'],
    [['--candidate-ref', here], 6, 'TB_GATE_NO_BASELINE', '--baseline-ref'],
    [['--candidate-ref', here, '--baseline-ref', '../nowhere'], 2, 'TB_GATE_REF', 'git worktree add'],
    [['--candidate-ref', here, '--baseline-ref', 'missing.yaml'], 2, 'TB_GATE_REF', '"missing.yaml"'],
    [[...both, '--candidate', 'runs/x'], 2, 'TB_USAGE', '--candidate cannot be combined with --experiment'],
    [[...both, '--candidate-set', 'rate=5'], 2, 'TB_USAGE', '--set rate='],
    [['--candidate-set', 'architecure=none'], 2, 'TB_OVERRIDE_UNKNOWN_FIELD', 'architecure'],
    [[...both, '--threshold', 'rtt.medain < +5%'], 2, 'TB_METRIC_UNKNOWN', '"rtt.median"'],
    [both, 2, 'TB_USAGE', 'gate needs a threshold'],
    [[...both, '--max-time', 'soon'], 2, 'TB_USAGE', '--max-time'],
    [[...both, '--profile', 'sometimes'], 2, 'TB_USAGE', 'Allowed choices are failed, always'],
    [['--self-test', '--profile'], 2, 'TB_USAGE', '--self-test, which has no verdict'],
    [[...both, '--set', 'load.driver=autocannon'], 2, 'TB_USAGE', 'scheduled arrivals'],
  ])('%j ends with exit code %i', async (args, exit, errorCode, text) => {
    const { code, stderr } = await topoBench(['gate', '--experiment', experiment, ...args, '--out', never]);
    expect([code, stderr]).toEqual([exit, expect.stringContaining(errorCode)]);
    expect(stderr).toContain(text);
  });
});

describe('run', () => {
  it.each([
    [['--only', 'architecture=sidecars'], 'TB_EXPERIMENT_UNKNOWN_LEVEL', 2],
    [['--set', 'rate=0'], 'TB_SCHEMA_INVALID', 2],
    [['--set', 'rate=1000000000'], 'TB_SCHEMA_INVALID', 2],
    [['--set', 'topology.deadline=1s'], 'TB_OVERRIDE_UNKNOWN_FIELD', 2],
  ])('refuses %j with %s', async (args, code, exit) => {
    const ended = await topoBench(['run', experiment, ...args, '--out', join(here, 'never')]);
    expect([ended.code, ended.stderr]).toEqual([exit, expect.stringContaining(`error ${code}: `)]);
  });

  it('reports every problem of a broken file', async () => {
    const broken = join(here, 'broken.yaml');
    writeFileSync(broken, `${head}kind: Experiment\nname: b\ntopology: topology.yaml\nduration: 10\nrepetition: 2\n`);
    const { code, stderr } = await topoBench(['run', broken]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/broken\.yaml:5:11: error TB_UNIT_INVALID/);
    expect(stderr).toMatch(/broken\.yaml:6:1: error TB_SCHEMA_UNKNOWN_KEY/);
  });
});
