/** What a run on Flink needs, found before it starts. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkExperiment, resolveExperiment } from '@topo-bench/experiment';
import { freePort } from '@topo-bench/host';
import { flinkDatabases } from '@topo-bench/streams/flink';
import { studies } from '@topo-bench/studies';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { requireFlink } from '../src/engine/flink/require-flink.ts';
import { databasesOnFlink } from '../src/not-on-flink.ts';
import { stream as schema } from '../src/settings-schema.ts';

const streams = [schema.parse({ engine: 'flink', partitions: 4 })];
const check = (flinkUrl?: string) =>
  requireFlink(streams, {
    serverUrls: {},
    logsDir: '/none',
    ...(flinkUrl !== undefined && { addresses: { flinkUrl } }),
  });

/** A server that answers `/overview` as the REST interface does. */
async function serverWith(overview: object): Promise<string> {
  const server = createServer((_, response) => void response.end(JSON.stringify(overview))).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a run on Flink', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'topo-bench-flink-job-'));
    writeFileSync(join(folder, 'job.jar'), '');
    vi.stubEnv('TOPO_BENCH_FLINK_JOB', folder);
    vi.stubEnv('TOPO_BENCH_FLINK_URL', '');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  it('needs a cluster that answers, with exit code 3 and the way out', async () => {
    const missing = { code: 'TB_FLINK_MISSING', exitCode: 3 };
    await expect(check()).rejects.toMatchObject({ ...missing, hint: expect.stringContaining('--flink-url') });
    const url = `http://127.0.0.1:${await freePort()}`;
    await expect(check(url)).rejects.toMatchObject({
      ...missing,
      message: expect.stringMatching(`^no answer from Flink at ${url}: .*ECONNREFUSED`),
    });
    await expect(check(await serverWith({ hello: 1 }))).rejects.toMatchObject(missing);
  });

  it('takes no address with a password, and does not repeat it', async () => {
    for (const url of ['http://me:secret@127.0.0.1:1', 'secret', 'ftp://secret']) {
      await expect(check(url)).rejects.toMatchObject({
        code: 'TB_FLINK_MISSING',
        message: expect.not.stringContaining('secret'),
      });
    }
  });

  it('needs a free slot for each partition', async () => {
    const overview = { 'flink-version': '1.20.3', 'slots-total': 8, 'slots-available': 3 };
    await expect(check(await serverWith(overview))).rejects.toMatchObject({
      code: 'TB_FLINK_MISSING',
      message: expect.stringContaining('3 of 8 slots free, expected 4'),
    });
    await check(await serverWith({ ...overview, 'slots-available': 4 }));
  });

  it('needs the version that the job is compiled for', async () => {
    const overview = { 'slots-total': 8, 'slots-available': 8 };
    for (const version of ['1.19.2', '1.2.0', '2.0.0']) {
      await expect(check(await serverWith({ ...overview, 'flink-version': version }))).rejects.toMatchObject({
        code: 'TB_FLINK_MISSING',
        message: expect.stringContaining(`got version ${version}, expected 1.20.x`),
      });
    }
  });

  it('needs a database that a cluster elsewhere reaches', async () => {
    await expect(check('http://flink.example:8081')).rejects.toMatchObject({
      code: 'TB_FLINK_MISSING',
      hint: expect.stringContaining('--postgres-url'),
    });
    const onRedis = [schema.parse({ engine: 'flink', database: 'redis' })];
    const environment = { serverUrls: {}, logsDir: '/none', addresses: { flinkUrl: 'http://flink.example:8081' } };
    await expect(requireFlink(onRedis, environment)).rejects.toMatchObject({
      hint: 'name a server that both reach: --redis-url redis://user:password@host:6379/',
    });
  });

  it('needs a database that the job has a client of', () => {
    expect(Object.keys(flinkDatabases)).toEqual(databasesOnFlink);
  });

  it('needs the jars that Maven builds', async () => {
    rmSync(join(folder, 'job.jar'));
    await expect(check('http://127.0.0.1:1')).rejects.toMatchObject({
      code: 'TB_FLINK_MISSING',
      message: `the job for Flink is not built: no jar in ${folder}`,
      hint: expect.stringContaining('mvn'),
    });
  });

  it('takes no fractions of a millisecond, and names their fields', () => {
    const head = 'apiVersion: topo-bench/v1\nkind: Experiment\nname: e\n';
    const problemsOf = (engine: string) => {
      const fields = 'windows: 1500us, outOfOrder: 20500us, checkpointEvery: 100500us, points: 20000';
      const text = `${head}stream: { engine: ${engine}, ${fields} }\n`;
      const inputs = { experiment: { file: 'e.yaml', text }, choices: {} };
      return checkExperiment(inputs, studies).problems.map(({ message }) => message);
    };
    expect(problemsOf('embedded')).toEqual([]);
    expect(problemsOf('flink')).toEqual([
      '`windows` on Flink: got 1.5ms, expected whole milliseconds',
      '`outOfOrder` on Flink: got 20.5ms, expected whole milliseconds',
      '`checkpointEvery` on Flink: got 100.5ms, expected whole milliseconds',
    ]);
  });

  it('leaves out what Flink does not run, with the reason', () => {
    const text = `apiVersion: topo-bench/v1\nkind: Experiment\nname: e\nstream: {}\n`;
    const factors =
      'factors: { streamEngine: [embedded, flink], database: [redis, cassandra], job: [generate, copy] }\n';
    const inputs = { experiment: { file: 'e.yaml', text: text + factors }, choices: {} };
    const onFlink = resolveExperiment(inputs, studies).cells.filter(({ levels }) => levels.streamEngine === 'flink');
    expect(onFlink.map(({ levels }) => [levels.database, levels.job ?? 'generate'])).toEqual([['redis', 'generate']]);
    const messages = checkExperiment(inputs, studies).problems.map(({ message }) => message);
    expect(messages.join()).toContain(
      'jobs on Flink write to postgresql, mysql, mongodb, redis alone: not measured on cassandra',
    );
    expect(messages.join()).toContain('Flink runs the job `generate` alone: not measured for copy');
  });
});
