/**
 * One timed transfer between two sides, and what each did for it. A comparison is fair only if all pairings do the
 * same before the clock starts and while it runs, so a transfer in which they did not is an error and no figure.
 */
import { type Account, type Job, type JobResult, rowBytes, ticketOf } from './job.ts';
import type { Peer } from './peers/peer.ts';

export interface Sides {
  client: Peer;
  servers: readonly Peer[];
}

/** What both sides did in some time. */
export interface Work {
  client: Account;
  server: Account;
}

export interface Transfer extends JobResult {
  warmUp: Work;
  timed: Work;
}

/** @throws Error when rows are missing, or when something else was done inside the clock than in the warm-up */
export async function transfer(sides: Sides, job: Job): Promise<Transfer> {
  const before = await accounts(sides);
  await sides.client.follow({ prepare: job });
  const between = await accounts(sides);
  const result = await sides.client.follow<JobResult>('go');
  const after = await accounts(sides);
  const done = { ...result, warmUp: workBetween(before, between), timed: workBetween(between, after) };
  checkTransfer(job, done);
  return done;
}

export function checkTransfer(job: Job, { rows, warmUp, timed }: Transfer): void {
  const expectedRows = job.rows * job.messages * job.streams;
  const calls = { [`${job.verb} ${ticketOf(job)}`]: job.streams };
  const isGet = job.verb === 'DoGet' || job.verb === 'tcp-get';
  const bytes = expectedRows * rowBytes;
  const moved = (isSender: boolean) => ({ sentBytes: isSender ? bytes : 0, receivedBytes: isSender ? 0 : bytes });
  require(job, 'rows', rows, expectedRows);
  for (const [name, { client, server }] of Object.entries({ warmUp, timed })) {
    for (const [side, account, isSender] of [
      ['client', client, !isGet],
      ['server', server, isGet],
    ] as const) {
      const { sentBytes, receivedBytes } = account;
      require(job, `${name}, calls of the ${side}`, account.calls, calls);
      require(job, `${name}, bytes of the ${side}`, { sentBytes, receivedBytes }, moved(isSender));
    }
  }
  require(job, 'batches built while the clock ran', timed.client.built + timed.server.built, 0);
}

function require(job: Job, name: string, found: unknown, expected: unknown): void {
  const [is, should] = [JSON.stringify(found), JSON.stringify(expected)];
  if (is !== should) throw new Error(`${job.verb} ${ticketOf(job)}: ${name}: got ${is}, expected ${should}`);
}

async function accounts({ client, servers }: Sides): Promise<Work> {
  const ofServers = await Promise.all(servers.map((server) => server.account()));
  return { client: await client.account(), server: ofServers.reduce((sum, account) => combined(sum, account, 1)) };
}

function workBetween(before: Work, after: Work): Work {
  return { client: combined(after.client, before.client, -1), server: combined(after.server, before.server, -1) };
}

/** `a + sign × b`; calls that come to nothing are left out. */
function combined(a: Account, b: Account, sign: 1 | -1): Account {
  const names = [...new Set([...Object.keys(a.calls), ...Object.keys(b.calls)])];
  const calls = names.map((name) => [name, (a.calls[name] ?? 0) + sign * (b.calls[name] ?? 0)] as const);
  return {
    calls: Object.fromEntries(calls.filter(([, count]) => count !== 0)),
    sentBytes: a.sentBytes + sign * b.sentBytes,
    receivedBytes: a.receivedBytes + sign * b.receivedBytes,
    built: a.built + sign * b.built,
    cpuSeconds: a.cpuSeconds + sign * b.cpuSeconds,
  };
}
