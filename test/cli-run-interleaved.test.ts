import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSamples } from '@topo-bench/results';
import { describe, expect, it, vi } from 'vitest';
import { callTopoBench } from '../packages/cli/test/fixtures/in-process.ts';
import { endedByHostAlone } from './fixtures/measured-run.ts';
import { openRun } from './fixtures/open-run.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { startTopoBench, topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 180_000 });

/** Writes down who asked for what and when: the record of an observer that is no part of the tool. */
const server = `
const http = require('node:http');
const { appendFileSync } = require('node:fs');
http.createServer((request, response) => {
  let body = '';
  request.on('data', (text) => { body += text; }).on('end', () => {
    const entry = [process.pid, request.headers['x-request-id'], Math.round(performance.timeOrigin + performance.now()), body];
    // Calls that probe whether it checks its token are none of the load.
    if (/^r\\d/.test(entry[1])) appendFileSync('served.log', JSON.stringify(entry) + '\\n');
    setTimeout(() => response.end('{}'), 60);
  });
}).listen(process.env.PORT, '127.0.0.1');
`;

const topology = `apiVersion: topo-bench/v1
kind: Topology
name: shop
services: [{ name: pricing, command: "node server.cjs", port: env PORT }]
requests:
  classes:
    - { name: order, origin: eu, payload: { note: { category: none, size: 24B } } }
`;

const experiment = `apiVersion: topo-bench/v1
kind: Experiment
name: shop
topology: topology.yaml
factors: { architecture: [none, central-entity, sidecar] }
repetitions: 2
deploy: interleaved
turns: { slice: 250ms, gap: 250ms }
load: { rate: 40 }
duration: 1s
drain: 5s
warmup: { max: 0s }
`;

interface Served {
  pid: number;
  id: string;
  atMs: number;
  body: string;
}

function byPid(rows: readonly Served[]): Map<number, Served[]> {
  const groups = new Map<number, Served[]>();
  for (const row of rows) groups.set(row.pid, [...(groups.get(row.pid) ?? []), row]);
  return groups;
}

describe('a run with deploy: interleaved', () => {
  const folder = temporaryFolder();
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write('topology.yaml', topology);
  write('experiment.yaml', experiment);
  write('server.cjs', server);

  it('gives all levels the same requests, one level at a time, and records it in its results', async () => {
    const { code, stderr } = await topoBench(['run', 'experiment.yaml', '--out', 'out'], { cwd: folder });
    const { cells, record } = await openRun(join(folder, 'out'));
    endedByHostAlone({ code, stderr }, cells);
    expect(record.experiment).toMatchObject({ deploy: 'interleaved' });
    expect(cells.map(({ factors, repetition }) => `${factors.architecture} ${repetition}`).sort()).toEqual([
      'central-entity 1',
      'central-entity 2',
      'none 1',
      'none 2',
      'sidecar 1',
      'sidecar 2',
    ]);
    for (const { turns, outcomes, achievedRps, cpuUsPerRequest, deployment } of cells) {
      // Levels stop together, so no teardown is that of one; the memory of user-supplied services is unknown.
      expect(deployment).toEqual({
        rank: 1,
        readyMs: expect.any(Number),
        openServices: [{ service: 'pricing', takes: 'without a token' }],
      });
      expect(turns).toMatchObject({ levels: 3, sliceUs: 250_000, gapUs: 250_000 });
      expect(achievedRps).toBe(outcomes.completed);
      expect(cpuUsPerRequest.total).toBeGreaterThan(0);
    }

    for (const repetition of [1, 2]) {
      const valid = cells.filter((cell) => cell.repetition === repetition && cell.validity.valid);
      expect(new Set(valid.map(({ validity }) => validity.lagLimit?.p99Us)).size).toBe(Math.min(1, valid.length));
    }

    const served = readFileSync(join(folder, 'served.log'), 'utf8')
      .trim()
      .split('\n')
      .map((line): Served => {
        const [pid, id, atMs, body] = JSON.parse(line);
        return { pid, id, atMs, body };
      });
    for (const repetition of [1, 2]) {
      const round = served.filter(({ id }) => id.startsWith(`r${repetition}-`));
      const byProcess = byPid(round);
      const measurements = 3 * (1 + (cells.find((cell) => cell.repetition === repetition)?.discarded?.length ?? 0));
      expect(byProcess.size).toBe(measurements);
      const requestsOf = (rows: readonly Served[]): string[] => rows.map(({ id, body }) => `${id} ${body}`).sort();
      const [first, ...others] = [...byProcess.values()].map(requestsOf);
      expect(first?.length).toBeGreaterThan(15);
      for (const other of others) expect(other).toEqual(first);
      // The served process changes more often than from one level to the next.
      const inOrder = round.sort((a, b) => a.atMs - b.atMs).map(({ pid }) => pid);
      expect(inOrder.filter((pid, at) => pid !== inOrder[at - 1]).length).toBeGreaterThan(measurements);
      // Four slices of 250 ms for each of three levels, with as long a gap after each.
      const slices = await Promise.all(
        cells
          .filter((cell) => cell.repetition === repetition)
          .map(async ({ samples }) => {
            const sent = await readSamples(join(folder, 'out', samples as string));
            return [...new Set(sent.map(({ intendedUs }) => Math.floor(intendedUs / 500_000)))];
          }),
      );
      expect(slices.map(({ length }) => length <= 4)).toEqual([true, true, true]);
      expect(new Set(slices.flat()).size).toBe(slices.flat().length);
    }
  });

  it('when a process of one level is killed makes that level invalid, and no other', async () => {
    rmSync(join(folder, 'served.log'), { force: true });
    const args = ['run', 'experiment.yaml', '--repetitions', '1', '--out', 'killed'];
    const running = startTopoBench(args, { cwd: folder });
    await vi.waitFor(() => expect(existsSync(join(folder, 'served.log'))).toBe(true), { timeout: 60_000 });
    const [first = ''] = readFileSync(join(folder, 'served.log'), 'utf8').split('\n');
    process.kill(JSON.parse(first)[0], 'SIGKILL');
    const { code, stderr } = await running.ended;
    expect(code, stderr).toBe(5);
    const { cells } = await openRun(join(folder, 'killed'));
    expect(cells).toHaveLength(3);
    const died = cells.filter(({ validity }) => validity.reasons.some((reason) => reason.startsWith('died during')));
    expect(died).toHaveLength(1);
    const others = cells.filter((cell) => !died.includes(cell));
    for (const { outcomes } of others) expect(outcomes).toMatchObject({ refused: 0, error: 0, unfinished: 0 });
    expect(others.map(({ outcomes }) => outcomes.completed)[0]).toBeGreaterThan(20);
    expect(new Set(others.map(({ outcomes }) => outcomes.completed)).size).toBe(1);
  });

  it('prints its cost before it starts, and refuses what cannot take turns', async () => {
    const dry = await callTopoBench(['run', 'experiment.yaml', '--dry-run', '--no-probe', '--json'], { cwd: folder });
    const { estimatedSeconds, memoryBytes } = JSON.parse(dry.stdout);
    // none 3 processes (gateway, service, carrier is the service's role), central-entity and sidecar one more each.
    expect(memoryBytes / (60 * 1024 ** 2)).toBe(2 + 3 + 3);
    expect(estimatedSeconds).toBeGreaterThan(0);
    write('fixed.yaml', topology.replace('port: env PORT', 'port: 7391'));
    write('refused.yaml', experiment.replace('topology.yaml', 'fixed.yaml'));
    const refused = await callTopoBench(['run', 'refused.yaml', '--out', 'no'], { cwd: folder });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('refused.yaml:7:9');
    expect(refused.stderr).toContain('"pricing" listens on port 7391, which levels deployed together cannot share');
  });
});
