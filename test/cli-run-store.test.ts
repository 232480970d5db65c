import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSamples } from '@topo-bench/results';
import type { AnyEntry } from '@topo-bench/studies';
import { describe, expect, it, vi } from 'vitest';
import { callTopoBench } from '../packages/cli/test/fixtures/in-process.ts';
import { experiment, topology } from './fixtures/kept-service.ts';
import { measuredRun } from './fixtures/measured-run.ts';
import { allGone, canSeeProcesses, childrenOf, connectionsOf, killAll } from './fixtures/processes.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { type Running, startTopoBench, topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 180_000 });

const enforced = (architecture: string): string => `apiVersion: topo-bench/v1
kind: Topology
name: kept
nodes: [{ name: front, region: eu, services: false }, { name: eu-1, region: eu }]
gateway: { node: front }
services: [{ name: items, persistence: { store: sql-indexed, rows: 500 } }]
requests:
  classes:
    - { name: order, weight: 3, origin: eu }
    - { name: order-abroad, weight: 3, origin: us }
    - { name: campaign, weight: 1, origin: eu, purpose: marketing }
rules: rules.yaml
enforcement: { architecture: ${architecture} }
`;
const rules = `apiVersion: topo-bench/v1
kind: Rules
name: kept
rules:
  - id: no-marketing
    effect: deny
    when: { all: [{ fact: request, path: $.purpose, operator: equal, value: marketing }] }
  - id: us-pseudonyms
    effect: redact
    redact: { remove: [/note, /address/street], pseudonymise: [/address/name] }
    when: { all: [{ fact: request, path: $.origin, operator: equal, value: us }] }
  - id: no-cancelled
    effect: deny
    when: { all: [{ fact: request, path: $.payload.currency, operator: equal, value: JPY }] }
`;

describe('run, over a service that keeps data', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'experiment.yaml');
  writeFileSync(join(folder, 'kept.yaml'), topology);
  writeFileSync(file, experiment);

  it('measures every store from the same rows, with its cost, its server, and how it was reset', async () => {
    const { cells, stderr } = await measuredRun(topoBench(['run', file, '--out', 'closed', '--json'], { cwd: folder }));
    const out = join(folder, 'closed');
    expect(stderr).toMatch(/\[2\/2\] store \S+ · workload write-heavy · connections 4 #1: response time median \d/);
    expect(cells.map(({ factors }) => factors.store).toSorted()).toEqual(['hybrid-unindexed', 'sql-indexed']);
    for (const cell of cells) {
      const { factors, persistence, responseTime, outcomes, resources, samples, processes, deployment } = cell;
      expect(persistence).toMatchObject({
        configuration: factors.store,
        workload: 'write-heavy',
        rows: 500,
        poolSize: 20,
      });
      expect(persistence?.server).toMatchObject({ name: 'PostgreSQL', origin: 'embedded' });
      expect(persistence?.server.settings).toMatchObject({
        fsync: 'on',
        synchronous_commit: 'on',
        full_page_writes: 'on',
      });
      expect(persistence?.reset.ms).toBeGreaterThan(0);
      expect(responseTime.medianUs).toBeLessThanOrEqual(responseTime.p95Us);
      expect(responseTime.p95Us).toBeLessThanOrEqual(responseTime.p99Us);
      expect(outcomes).toMatchObject({ error: 0, refused: 0 });
      for (const name of ['store', 'service'] as const) {
        expect(resources[name]?.rssBytes).toBeGreaterThan(1e6);
        const series = persistence?.series[name];
        expect(series?.atMs.length).toBeGreaterThan(1);
        expect(series?.cpuPercent.length).toBe(series?.atMs.length);
        expect(series?.cpuPercent.every((percent) => percent >= 0)).toBe(true);
      }
      expect(cell.cpuUsPerRequest.total).toBeGreaterThan(0);
      expect(deployment?.rank).toBe(1);
      expect(deployment?.warmUp?.finalRps).toBeGreaterThan(0);
      // The warm-up lasts until it has served 20.
      expect(processes?.service?.servedBefore?.min).toBeGreaterThanOrEqual(20);
      expect(processes?.service?.eventLoop?.turns).toBeGreaterThan(20);
      // The server's workers are processes of their own.
      expect(resources.store?.processes).toBeGreaterThan(5);
      const rows = await readSamples(join(out, samples as string));
      expect(rows).toHaveLength(outcomes.completed + outcomes.unfinished);
      const writes = rows.filter(({ class: operation }) => operation === 'create' || operation === 'replace').length;
      expect(writes / rows.length).toBeGreaterThan(0.85);
    }
  });

  it('sends on a schedule too', async () => {
    const open = ['load.driver=open', 'rate=40'].flatMap((set) => ['--set', set]);
    const only = ['--only', 'store=hybrid-unindexed'];
    const { cells, stderr } = await measuredRun(
      topoBench(['run', file, '--out', 'open', ...open, ...only, '--json'], { cwd: folder }),
    );
    expect(cells).toHaveLength(1);
    for (const { factors, offeredRps, outcomes, persistence } of cells) {
      expect(factors, stderr).toEqual({ store: 'hybrid-unindexed', workload: 'write-heavy', rate: 40 });
      expect([offeredRps, outcomes]).toMatchObject([40, { error: 0, refused: 0 }]);
      expect(persistence?.successRps).toBeGreaterThan(0);
    }
  });

  // Points of both kinds decide the same: enforced-items.test.ts of services.
  it.for(process.env.LONG_SERIES ? ['sidecar', 'central-entity'] : ['sidecar'])(
    'decides every call under %s, and checks what each reader and the store got',
    async (architecture) => {
      writeFileSync(join(folder, 'enforced.yaml'), enforced(architecture));
      writeFileSync(join(folder, 'rules.yaml'), rules);
      const file = join(folder, `${architecture}.yaml`);
      writeFileSync(
        file,
        experiment
          .replace('kept.yaml', 'enforced.yaml')
          .replace(/ {2}services.items.*\n/, '')
          .replace('write-heavy', 'mixed'),
      );
      const { cells } = await measuredRun(topoBench(['run', file, '--out', architecture, '--json'], { cwd: folder }));
      const [cell] = cells;
      const out = join(folder, architecture);
      const { decisions } = cell;
      expect(decisions).toMatchObject({ wrong: 0, reroute: 0 });
      expect(decisions.allow).toBeGreaterThan(0);
      expect(decisions.byRule['us-pseudonyms']).toBe(decisions.redact);
      expect(decisions.byRule['no-marketing']).toBeGreaterThan(0);
      expect((decisions.byRule['no-marketing'] ?? 0) + (decisions.byRule['no-cancelled'] ?? 0)).toBeLessThanOrEqual(
        decisions.deny,
      );
      expect(cell.outcomes.refused).toBeGreaterThan(0);
      const rows = await readSamples(join(out, cell.samples as string));
      const refused = rows.filter(({ outcome }) => outcome === 'refused');
      // The denial of a stored item names no rule; a call or a new item is refused by a rule.
      const unnamed = refused.filter(({ rule }) => rule === null);
      expect(unnamed.filter(({ class: kind }) => kind === 'query' || kind === 'create')).toEqual([]);
      expect(unnamed.length).toBeLessThan(refused.length);
      expect(
        rows.filter(
          ({ outcome, class: kind, steps }) => outcome === 'completed' && kind !== 'query' && steps.length !== 1,
        ),
      ).toEqual([]);
      // The sidecar shares the node of its service, the central entity does not.
      const exposed = Object.keys(cell.exposureBytes);
      expect(exposed).toEqual(architecture === 'sidecar' ? ['personal'] : []);
      expect(cell.resources.enforcement?.rssBytes).toBeGreaterThan(1e6);
    },
  );

  it('ends before it begins where a store has no server', async () => {
    const args = ['run', file, '--set', 'store=document', '--out', 'none'];
    const { code, stderr } = await callTopoBench(args, { cwd: folder, env: { PATH: '' } });
    expect(stderr).toContain('TB_STORE_NO_SERVER');
    expect(stderr).toContain('--mongodb-url or TOPO_BENCH_MONGODB_URL');
    expect(code).toBe(3);
    expect(readdirSync(folder)).not.toContain('none');
  });
});

describe.skipIf(!canSeeProcesses)('a run over a store that is cut off', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'experiment.yaml');
  writeFileSync(join(folder, 'kept.yaml'), topology);
  const cold = experiment.replace(/warmup: .*/, 'warmup: { max: 0s }');
  writeFileSync(file, cold.replace('duration: 1s', 'duration: 4s'));

  /** Once the load has begun. @returns the guard of the server, and the processes of the server */
  async function duringLoad(run: Running): Promise<{ guard: number; data: string; server: number[] }> {
    const generator = () => childrenOf(run.pid).find(({ commandLine }) => commandLine.includes('load-worker'));
    // Without a warm-up its clients connect as the load begins.
    for (let pid: number | undefined; !pid || connectionsOf(pid) < 4; pid = generator()?.pid) await sleep(20);
    await sleep(500);
    const guard = childrenOf(run.pid).find(({ commandLine }) => commandLine.includes('topo-bench-postgres'));
    const data = /"folder":"([^"]+)"/.exec(guard?.commandLine ?? '')?.[1] as string;
    const [server] = childrenOf(guard?.pid as number).map(({ pid }) => pid);
    return {
      guard: guard?.pid as number,
      data,
      server: [server as number, ...childrenOf(server as number).map(({ pid }) => pid)],
    };
  }

  it('by the death of the server counts the errors, marks the repetition, and continues with the next', async () => {
    const run = startTopoBench(['run', file, '--out', 'killed', '--json'], { cwd: folder });
    const { server } = await duringLoad(run);
    killAll(server);
    const { code, stdout, stderr } = await run.ended;
    const [first, second] = JSON.parse(stdout).cells as AnyEntry[];
    expect(code, stderr).toBe(5);
    expect(first?.validity).toMatchObject({
      valid: false,
      reasons: expect.arrayContaining([expect.stringMatching(/postgres was ended by SIGKILL/)]),
    });
    expect(first?.outcomes.completed).toBeGreaterThan(0);
    expect(first?.errors['http-503']).toBe(first?.outcomes.error);
    expect(first?.outcomes.error).toBeGreaterThan(0);
    expect(second?.validity.reasons.join()).not.toContain('SIGKILL');
    expect(second?.outcomes.error).toBe(0);
    expect(second?.outcomes.completed).toBeGreaterThan(0);
  });

  it('by Ctrl-C leaves no server and no data behind, and exits with 130', async () => {
    const run = startTopoBench(['run', file, '--out', 'interrupted'], { cwd: folder });
    const { guard, data, server } = await duringLoad(run);
    expect(existsSync(data)).toBe(true);
    run.process.kill('SIGINT');
    const { code, stderr } = await run.ended;
    expect(stderr).toContain('topo-bench run --resume interrupted');
    expect(code).toBe(130);
    await allGone([guard, ...server]);
    expect(existsSync(data)).toBe(false);
  });
});
