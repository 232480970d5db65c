import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { resolveExperiment } from '@topo-bench/experiment';
import { engines } from '@topo-bench/stores/engines';
import { hasTransactions } from '@topo-bench/stores/heat-map';
import { isImageWithoutTransactions } from '@topo-bench/stores/servers/transactions';
import { studies } from '@topo-bench/studies';
import type { ExperimentCell } from '@topo-bench/trial';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StreamRun } from '../src/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'topo-bench-transactions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function cellsOf(lines: string): ExperimentCell[] {
  const text = `apiVersion: topo-bench/v1\nkind: Experiment\nname: e\n${lines}\n`;
  return [...resolveExperiment({ experiment: { file: 'e.yaml', text }, choices: {} }, studies).cells];
}
const { signal } = new AbortController();
const both = 'stream: {}\nfactors: { database: [mongodb, postgresql] }';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

const found = await (await engines.mongodb.server()).findServer();
if (!found && process.env.CI === 'true') throw new Error('no MongoDB-protocol server on this machine');

describe.skipIf(!found)(
  'a stream study on a MongoDB-protocol server outside a replica set',
  { timeout: 30_000 },
  () => {
    let url: string;
    let stop: () => Promise<void>;

    beforeAll(async () => {
      const { program } = found as NonNullable<typeof found>;
      const port = await freePort();
      const data = mkdtempSync(join(folder, 'data-'));
      const isMongod = program.endsWith('mongod');
      const place = isMongod ? ['--bind_ip', '127.0.0.1', '--dbpath', data] : ['--standalone', '--storage-path', data];
      const server = spawn(program, [...place, '--port', String(port)], { stdio: 'ignore' });
      const exited = once(server, 'exit');
      stop = async () => {
        server.kill();
        await exited;
      };
      url = `mongodb://127.0.0.1:${port}/`;
      // The driver waits for its start.
      expect(await hasTransactions({ engine: 'mongodb', url })).toBe(false);
    });
    afterAll(() => stop?.());

    it('is refused before the run if it shall write exactly once, with the ways out', async () => {
      const run = new StreamRun({ serverUrls: { mongodb: url }, logsDir: folder });
      await expect(run.require(cellsOf(both), signal)).rejects.toMatchObject({
        code: 'TB_STORE_NO_TRANSACTIONS',
        message: expect.stringMatching(/^mongodb: `guarantee: exactly-once` needs transactions/),
        hint: 'name a server of a replica set with --mongodb-url, or set `guarantee: at-least-once`; or leave it out with --only database=postgresql',
      });
      await run.close();
    });

    it('is refused at its start too, for servers that cannot be queried before', async () => {
      const run = new StreamRun({ serverUrls: { mongodb: url }, logsDir: folder });
      const [cell] = cellsOf('stream: { database: mongodb }') as [ExperimentCell];
      const context = { signal: new AbortController().signal, onPhase: () => {} };
      await expect(run.open(cell, context)).rejects.toMatchObject({ code: 'TB_STORE_NO_TRANSACTIONS' });
      await run.close();
    });

    it('is accepted if it may write at least once', async () => {
      const run = new StreamRun({ serverUrls: { mongodb: url }, logsDir: folder });
      await run.require(
        cellsOf('stream: { guarantee: at-least-once }\nfactors: { database: [mongodb, postgresql] }'),
        signal,
      );
      await run.close();
    });
  },
);

it('refuses a mongod that topo-bench would start: it is no member of a replica set', async () => {
  const program = join(folder, 'mongod');
  // It is found, and never started.
  writeFileSync(program, '#!/bin/false\n');
  chmodSync(program, 0o755);
  const before = process.env.PATH;
  process.env.PATH = `${folder}${delimiter}${before}`;
  try {
    const run = new StreamRun({ serverUrls: {}, logsDir: folder });
    await expect(run.require(cellsOf(both), signal)).rejects.toMatchObject({ code: 'TB_STORE_NO_TRANSACTIONS' });
    await run.require(cellsOf('stream: { database: mongodb, guarantee: at-least-once }'), signal);
  } finally {
    process.env.PATH = before;
  }
});

it('refuses an image of MongoDB before it is pulled, unless a connection string overrides it', async () => {
  const run = new StreamRun({ serverUrls: {}, logsDir: folder });
  for (const image of ['mongo:8', 'docker.io/library/mongo', 'mongodb/mongodb-community-server:8.0-ubi8']) {
    await expect(
      run.require(cellsOf(`stream: { database: mongodb, image: '${image}' }`), signal),
    ).rejects.toMatchObject({
      code: 'TB_STORE_NO_TRANSACTIONS',
      exitCode: 3,
      hint: expect.stringContaining('--mongodb-url'),
    });
  }
  const one = { engine: 'mongodb', image: 'mongo:8' } as const;
  expect(isImageWithoutTransactions(one)).toBe(true);
  expect(isImageWithoutTransactions({ ...one, flags: { mongodb: 'mongodb://127.0.0.1:1/' } })).toBe(false);
  for (const image of ['mongodb/mongodb-atlas-local:8', 'me/secantus-mongo-like:1'])
    expect(isImageWithoutTransactions({ ...one, image })).toBe(false);
  expect(isImageWithoutTransactions({ engine: 'postgresql', image: 'mongo:8' })).toBe(false);
});
