/** `simulate --cluster`: machines that one does not have, and predictions of cells at their limit. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cell, Prediction } from '@topo-bench/core/schema/result';
import { openRun } from '@topo-bench/results';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../../test/fixtures/small-files.ts';
import { callTopoBench } from '../../fixtures/in-process.ts';

const folder = temporaryFolder();
const head = 'apiVersion: topo-bench/v1\n';
let files = 0;
const fileOf = (text: string): string => {
  const file = join(folder, `file-${++files}.yaml`);
  writeFileSync(file, head + text);
  return file;
};
writeFileSync(
  join(folder, 'two-nodes.yaml'),
  `${head}kind: Topology
name: two-nodes
nodes: [{ name: front, region: eu }, { name: back, region: eu }]
services: [{ name: s0, node: front }, { name: s1, node: back }]
flow: [s0, s1]
`,
);
const shop = fileOf(`kind: Experiment
name: shop
topology: two-nodes.yaml
factors: { architecture: [none] }
load: { rate: 100 }
duration: 2s
repetitions: 2
`);
const cluster = (hosts: string, more = ''): string => fileOf(`kind: Cluster\nname: room\nhosts: ${hosts}\n${more}`);

async function simulate(...args: string[]) {
  const out = join(folder, `run-${++files}`);
  const own = ['simulate', shop, '--calibration', 'assumed-two-cores', '--out', out];
  return { ...(await callTopoBench([...own, ...args])), out };
}

async function cellOf(...args: string[]): Promise<Cell> {
  const { code, stderr, out } = await simulate('--repetitions', '1', ...args);
  expect(code, stderr).toBe(0);
  return (await openRun(out)).cells[0] as Cell;
}

describe('topo-bench simulate --cluster', () => {
  it('places nodes on hosts, with the delay between them on every message that crosses', async () => {
    const near = '[{ name: a, cores: 8, nodes: [front, back] }]';
    const far = '[{ name: a, cores: 8, nodes: [front] }, { name: b, cores: 8, nodes: [back] }]';
    const network = 'network: { delay: 20ms }\n';
    const [one, two] = [await cellOf('--cluster', cluster(near)), await cellOf('--cluster', cluster(far, network))];
    // The request reaches s1 over the network, and its outcome comes back.
    const [short, long] = [one.prediction?.medianUs?.[0] as number, two.prediction?.medianUs?.[0] as number];
    expect(long - short).toBeGreaterThan(38_000);
    expect(long - short).toBeLessThan(48_000);
    expect(Object.keys(two.prediction?.hosts ?? {})).toEqual(['a', 'b']);
  });

  it('states in cell, record, terminal and page which cluster the figures stand for', async () => {
    const hosts = '[{ name: a, cores: 8, speed: 2, nodes: [front, back] }, { name: desks, cores: 4 }]';
    const file = cluster(hosts, 'generators: desks\n');
    const { code, stdout, stderr, out } = await simulate('--cluster', file);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('note: the figures stand for cluster room: 2 hosts with 12 cores');
    expect(stdout).toContain('computed by a model of the cluster room (2 hosts, 12 cores)');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('Stands for cluster room.');
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('Stands for cluster room.');
    const { record, cells } = await openRun(out);
    expect(record.simulation?.cluster).toMatchObject({ name: 'room', hosts: [{ name: 'a', cores: 8, speed: 2 }, {}] });
    const [first, second] = cells as [Cell, Cell];
    expect(first.prediction).toMatchObject({ cluster: 'room', state: 'stable' });
    // The prediction is one of the cell, and both repetitions have it.
    expect(second.prediction).toEqual(first.prediction);
    expect(first.rtt.medianUs).not.toBe(second.rtt.medianUs);
  });

  it.each([
    ['[{ name: a, cores: 8, nodes: [front, bck] }]', '', 'no node bck', ':4:45'],
    ['[{ name: a, cores: 8, nodes: [front] }]', '', 'no host carries back', ':4:1'],
    ['[{ name: a, cores: 0, nodes: [front, back] }]', '', 'cores', ':4:27'],
    ['[{ name: a, cores: 8, nodes: [front, back, front] }]', '', 'the node front is on the hosts a and a', ':4:51'],
    ['[{ name: a, cores: 8, nodes: [front, back] }]', 'generators: desk\n', 'unknown host: got desk', ':5:13'],
    ['[]', '', 'hosts', ':4:8'],
  ])('refuses %s %s, with its place in the file', async (hosts, more, message, place) => {
    const file = cluster(hosts, more);
    const { code, stderr } = await simulate('--cluster', file);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).toContain(`${file}${place}`);
  });

  it('is checked by `validate`, which needs no topology', async () => {
    const good = await callTopoBench(['validate', cluster('[{ name: a, cores: 8, nodes: [front] }]')]);
    expect([good.code, good.stdout]).toEqual([0, expect.stringContaining('1 file checked: 0 errors')]);
    const twice = cluster('[{ name: a, cores: 8 }, { name: a, cores: 8 }]');
    const bad = await callTopoBench(['validate', twice]);
    expect(bad.code).toBe(2);
    expect(bad.stdout + bad.stderr).toContain('two hosts have the name a');
  });
});

describe('a cell at its limit', () => {
  const hosts =
    '[{ name: a, cores: 1, nodes: [front] }, { name: b, cores: 8, nodes: [back] }, { name: desks, cores: 8 }]';
  const file = cluster(hosts, 'generators: desks\n');

  it('near its capacity names bound and bottleneck, and no quantile', async () => {
    const stable = await cellOf('--cluster', file);
    const { maxRps } = stable.prediction as { maxRps: number };
    const args = ['--cluster', file, '--set', `rate=${Math.round(0.93 * maxRps)}`, '--repetitions', '1'];
    const { code, stdout, stderr, out } = await simulate(...args);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/near capacity: the host a is 9\d% busy/);
    const [cell] = (await openRun(out)).cells;
    expect(cell?.prediction).toMatchObject({ state: 'near-capacity', bottleneck: { kind: 'host', name: 'a' } });
    expect([cell?.prediction?.medianUs, cell?.rtt.count]).toEqual([undefined, 0]);
  });

  it('ends in seconds with a clear sentence where it is unstable, however large', async () => {
    const args = ['--cluster', file, '--set', 'topology.defaults.work=500ms', '--set', 'rate=2000', '--json'];
    const { code, stdout, stderr } = await simulate('--repetitions', '1', '--set', 'duration=60s', ...args);
    expect(code, stderr).toBe(0);
    const [cell] = JSON.parse(stdout).cells;
    expect(cell.prediction).toMatchObject({ state: 'unstable', bottleneck: { kind: 'host', name: 'a' } });
    expect(cell.prediction.bottleneck.busyShare).toBeGreaterThan(1000);
    expect(stderr).toMatch(/unstable: the host a needs 1,?\d+ times the processor time that it has; /);
  });

  it('has narrower intervals for more precision', async () => {
    const width = ({ prediction }: Cell): number => {
      const { medianUs } = prediction as Prediction;
      const [low, high] = medianUs as [number, number];
      return (high - low) / (high + low);
    };
    const [wide, narrow] = [await cellOf('--precision', '20%'), await cellOf('--precision', '0.1%')];
    expect([wide.prediction?.replications, narrow.prediction?.replications]).toEqual([5, 30]);
    expect(width(narrow)).toBeLessThan(width(wide));
    const { code, stderr } = await simulate('--precision', '0');
    expect([code, stderr]).toEqual([2, expect.stringContaining('a share above 0 and at most 50%')]);
  });
});
