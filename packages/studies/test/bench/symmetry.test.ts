/**
 * Both sides of bench:stores do the same: equal statements with equal values, over as many connections that are open
 * before the clock starts, by processes of one priority; and every answer that counts is a statement that was sent.
 */
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareStore } from '@topo-bench/stores';
import type { StoreWorkload } from '@topo-bench/workload';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { changedService } from '../../../../test/fixtures/changed-service.ts';
import { startServers, type TestServers } from '../../../stores/test/fixtures/test-servers.ts';
import { type Done, Prepared } from '../../bench/prepared.ts';
import { type Sides, startSides, takeTurns } from '../../bench/sides.ts';
import { type StatementLog, statementLog } from './statement-log.ts';

const connections = 4;
const dataset = { rows: 500, seed: 1 };
const classes = [{ name: 'order', weight: 1, origin: 'eu', purpose: 'contract', consents: [], payload: {} }];
const mix = { queries: 0.5, creates: 0.5, keys: 'zipfian', skew: 0.99, limit: 20 } as const;
const common = { ...mix, dataset, path: '/items', classes };
const names = ['service', 'bare'] as const;

let servers: TestServers;
let sides: Sides | undefined;
let folder: string;
const logs: Partial<Record<(typeof names)[number], StatementLog>> = {};

beforeAll(async () => {
  servers = await startServers(['postgresql']);
  if (servers.missing('postgresql')) return;
  folder = await mkdtemp(join(tmpdir(), 'stores-bench-test-'));
  const { url } = servers.get('postgresql');
  for (const name of names) {
    const prepared = await prepareStore({ url, configuration: 'sql-indexed', dataset, service: name });
    logs[name] = await statementLog(prepared.url);
  }
  sides = await startSides({
    storeUrls: { service: logs.service?.url ?? '', bare: logs.bare?.url ?? '' },
    concurrency: 10,
    connections,
    serviceEntry: await changedService(folder, []),
    logsDir: folder,
  });
});
afterAll(async () => {
  await sides?.stop();
  await Promise.all(names.map((name) => logs[name]?.stop()));
  await servers?.stop();
  if (folder) await rm(folder, { recursive: true });
});

interface Round extends Done {
  statements: string[];
  /** Opened while the clock ran or before. */
  opened: number;
}

async function rounds(workload: StoreWorkload, repetition: number): Promise<Round[]> {
  const done: Round[] = [];
  for (const name of names) {
    const log = logs[name] as StatementLog;
    const before = log.connections;
    log.statements.length = 0;
    const result = await (sides as Sides)[name]({ workload, repetition, seconds: 0.4 });
    done.push({ ...result, statements: [...log.statements], opened: log.connections - before });
  }
  return done;
}

/** The process that listens on a port of this machine. */
async function listenerOn(port: number): Promise<number> {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const listening = (await readFile('/proc/net/tcp', 'utf8'))
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find(([, address, , state]) => address?.endsWith(local) && state === '0A');
  const socket = `socket:[${listening?.[9]}]`;
  for (const pid of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))) {
    const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
    const links = await Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => '')));
    if (links.includes(socket)) return Number(pid);
  }
  throw new Error(`nothing listens on ${port}`);
}

/** Fields 19 and 41 of a thread's stat, of all threads that differ. */
async function priorityOf(pid: number): Promise<string> {
  const of = async (thread: string): Promise<string> => {
    const fields = (await readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8')).split(') ').at(-1)?.split(' ') ?? [];
    return `nice ${fields[16]}, policy ${fields[38]}`;
  };
  return [...new Set(await Promise.all((await readdir(`/proc/${pid}/task`)).map(of)))].join('; ');
}

describe('service and bare driver', () => {
  beforeEach(({ skip }) => {
    const missing = servers.missing('postgresql');
    if (missing) skip(missing);
  });

  it.each([
    ['reads', 1],
    ['writes', 0],
  ])('send equal statements: %s', async (_, reads) => {
    const workload = { ...common, reads };
    // The first round opens connections and prepares statements on them.
    const warmUp = await rounds(workload, 2 + 2 * reads);
    const [service, bare] = (await rounds(workload, 3 + 2 * reads)) as [Round, Round];
    expect([service.opened, bare.opened]).toEqual([0, 0]);
    expect(names.map((name) => logs[name]?.connections)).toEqual([connections, connections]);
    for (const { done, statements, seconds } of [...warmUp, service, bare]) {
      expect(done).toBeGreaterThan(0);
      expect(statements).toHaveLength(done);
      expect(seconds).toBeGreaterThanOrEqual(0.4);
    }
    // Either sent as many of the same sequence as it could.
    const [fewer, more] = [service.statements, bare.statements].sort((a, b) => a.length - b.length) as [
      string[],
      string[],
    ];
    const left = new Map<string, number>();
    for (const statement of more) left.set(statement, (left.get(statement) ?? 0) + 1);
    for (const statement of fewer) left.set(statement, (left.get(statement) ?? 0) - 1);
    expect([...left].filter(([, count]) => count < 0)).toEqual([]);
    const kinds = reads ? [/ WHERE id = /, / WHERE customer = /] : [/ DO NOTHING/, / DO UPDATE/];
    const ofKinds = kinds.map((kind) => fewer.filter((statement) => kind.test(statement)).length);
    expect(Math.min(...ofKinds)).toBeGreaterThan(0);
    expect(ofKinds.reduce((sum, count) => sum + count)).toBe(fewer.length);
  });

  it('have processes of one priority (needs /proc)', async () => {
    const { pids, serviceUrl } = sides as Sides;
    const service = await listenerOn(Number(new URL(serviceUrl).port));
    const [first, ...others] = await Promise.all([service, ...pids].map(priorityOf));
    expect(others).toEqual([first, first]);
  });
});

test('both sides are warmed by as many rounds, and change places', async () => {
  const turns: string[] = [];
  const side =
    (name: string, done: number) =>
    async ({ repetition }: { repetition: number }) => {
      turns.push(`${name} ${repetition}`);
      return { done, seconds: 2 };
    };
  const workload = { ...common, reads: 1 };
  const rates = await takeTurns(
    { service: side('service', 10), bare: side('bare', 30) },
    { warmUpRounds: 2, rounds: 2 },
    (round) => ({ workload, repetition: 3 + round, seconds: 2 }),
  );
  expect(turns).toEqual(
    [1, 2, 3, 4].flatMap((one) =>
      one % 2 === 1 ? [`service ${one}`, `bare ${one}`] : [`bare ${one}`, `service ${one}`],
    ),
  );
  expect(rates).toEqual({ service: [5, 5], bare: [15, 15] });
});

test('reads start again when they do not last; writes are an error, since the second creation writes nothing', () => {
  const taken = (reads: number) => {
    const prepared = new Prepared(['a', 'b'], { reads });
    return [1, 2, 3].map(() => prepared.take());
  };
  expect(taken(1)).toEqual(['a', 'b', 'a']);
  expect(() => taken(0)).toThrow('2 writes did not last for a round: shorten the rounds or prepare more');
});
