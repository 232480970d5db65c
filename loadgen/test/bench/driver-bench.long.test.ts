/** The bench of the driver treats all tools alike: privilege, warm-up, truth of their own requests, judgement. */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { mayGiveRealTimePriority } from '@topo-bench/host';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { childrenOf } from '../../../test/fixtures/processes.ts';
import { bundle, workerEntry } from '../../bench/bundle.ts';
import {
  type KnownServer,
  type ServerKind,
  type ServerLog,
  serverKinds,
  startKnownServer,
} from '../../bench/known-server.ts';
import { measureDriver, measurePeer } from '../../bench/measure.ts';
import { peerTruthUs } from '../../bench/peer-truth.ts';
import { autocannonPeer } from '../../bench/peers/autocannon.ts';
import { output, warmUpSeconds } from '../../bench/peers/peer.ts';
import { pooledRow } from '../../bench/pooled-row.ts';
import { type Quantiles, quantilesOf } from '../../bench/quantiles.ts';
import { compareDistances, judge, type Row } from '../../bench/verdict.ts';

/** Threads of a process with another policy or nice value than the usual ones. */
function privilegesOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((tid) => {
      // Fields 19 and 41: nice value and scheduling policy, of which 0 is the usual one and 2 round robin.
      const fields = readFileSync(`/proc/${pid}/task/${tid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      const [nice, policy] = [fields[16], fields[38]];
      const which = Number(tid) === pid ? 'main' : 'other';
      return Number(nice) === getPriority() && policy === '0'
        ? []
        : [`${which} thread: policy ${policy}, nice ${nice}`];
    });
  } catch {
    // It has ended.
    return [];
  }
}

const same = (us: number): Quantiles => ({ p50: us, p95: us, p99: us, p999: us });

describe('the truth of a peer', () => {
  const log = (beginUs: number[], endUs: number[], busyUs: [number, number][] = []) => ({
    index: new Int32Array(beginUs.length).fill(-1),
    beginUs: Float64Array.from(beginUs),
    endUs: Float64Array.from(endUs),
    busyUs,
  });

  it('covers its last requests, without those of its warm-up', () => {
    const truth = peerTruthUs(log([0, 5000, 1e6, 1.01e6], [9000, 9000, 1.0005e6, 1.0107e6]), 2, 100);
    expect([...truth]).toEqual([500, 700]);
  });

  it('counts the wait of a request that was due while the server stalled', () => {
    // 100 req/s from 0: the third was due at 20 ms, in a stall that ended at 50 ms.
    const truth = peerTruthUs(log([0, 10_000, 50_000], [1000, 11_000, 51_000], [[15_000, 50_000]]), 3, 100);
    expect([...truth]).toEqual([1000, 1000, 31_000]);
  });

  it('is rejected when the server saw fewer requests than the peer reports', () => {
    expect(() => peerTruthUs(log([0], [1]), 2, 100)).toThrow('reports 2 requests, the server saw 1');
  });
});

describe('the comparison of two tools', () => {
  it('calls one more accurate only when the whole interval is, and level only within the resolution', () => {
    const [near, far, mixed] = [
      [100, 120, 150],
      [400, 500, 300],
      [50, 600, 200],
    ].map((rounds) => rounds.map(same));
    const compared = (ours: Quantiles[] | undefined, theirs: Quantiles[] | undefined) =>
      compareDistances(ours as Quantiles[], theirs as Quantiles[], 'p99');
    expect(compared(near, far)).toEqual({ proximity: 'nearer', further: { estimate: -280, interval: [-400, -150] } });
    expect(compared(far, near)).toEqual({ proximity: 'further', further: { estimate: 280, interval: [150, 400] } });
    expect(compared(near, mixed).proximity).toBe('cannot tell');
    expect(compared([100, 100, 100].map(same), [190, 195, 199].map(same)).proximity).toBe('level');
    // Two rounds of each have no interval.
    expect(compared(near?.slice(1), far?.slice(1)).proximity).toBe('cannot tell');
  });

  it('takes times from the send next to other tools, and from the intended arrival for the bounds', () => {
    const times = (us: number): Float64Array => new Float64Array(10).fill(us);
    const counts = { scheduled: 10, sent: 10, served: 10, generatorCores: 0.1 };
    const probes = { slept: times(0), roundTrips: times(0) };
    const round = { ...counts, ...probes, truth: times(100), error: times(900), lag: times(850) };
    const load = { server: '0 ms', arrivals: 'constant', rateRps: 100, judged: true } as const;
    const { distances, measured } = pooledRow(
      { ...load, restless: { givenUp: 0, kept: 0 } },
      [{ ...round, measured: times(1000), fromSend: times(150) }],
      [],
      new Map(),
    );
    expect(measured).toEqual(same(1000));
    expect(distances).toEqual({ arrival: [same(900)], send: [same(50)] });
  });

  it('applies to every row: a driver within its tolerance fails when another tool is more accurate', () => {
    const row = (ours: number, fromSend = ours): Row => ({
      server: '0 ms',
      arrivals: 'constant',
      rateRps: 100,
      judged: true,
      scheduled: 400,
      sent: 400,
      served: 400,
      truth: same(100),
      measured: same(100 + ours),
      error: same(ours),
      distances: { arrival: [ours, ours, ours].map(same), send: [fromSend, fromSend, fromSend].map(same) },
      hiccups: { sleeping: same(0), roundTrip: same(0) },
      lag: same(50),
      generatorCores: 0.1,
      peers: [
        {
          name: 'another',
          measured: same(150),
          truth: same(100),
          distances: [50, 50, 50].map(same),
          restless: { givenUp: 0, kept: 0 },
        },
      ],
      restless: { givenUp: 0, kept: 0 },
    });
    expect(judge([row(60)]).failures).toEqual([]);
    expect(judge([row(450)]).failures).toHaveLength(4);
    expect(judge([row(450)]).failures[0]).toBe('0 ms, constant, 100 req/s: another is nearer to its true p50');
    const compared = { peer: 'another', quantile: 'p50' };
    const none = { nearer: 0, level: 0, further: 0, 'cannot tell': 0 };
    expect(judge([row(450)]).comparisons[0]).toMatchObject({
      ...compared,
      clock: 'send',
      rows: { ...none, further: 1 },
      pooled: { estimate: 400 },
    });
    const rows = Array.from({ length: 6 }, (_, at) => row(460 + at));
    expect(judge(rows).comparisons[0]?.pooled.interval).toEqual([410, 415]);
    // Other tools do not count a late send; the bounds do.
    const late = judge([row(450, 60)]);
    expect(late.failures).toEqual([]);
    expect(late.comparisons.filter(({ quantile }) => quantile === 'p50')).toMatchObject([
      { ...compared, clock: 'send', rows: { ...none, level: 1 } },
      { ...compared, clock: 'arrival', rows: { ...none, further: 1 } },
    ]);
  });
});

test('a tool gets real-time priority for its main thread at most', async () => {
  // Field 41 of a thread's stat is its scheduling policy: 0 is the usual one, 2 round robin.
  const script = `
    const { readdirSync, readFileSync } = require('node:fs');
    setTimeout(() => {
      const policies = readdirSync('/proc/self/task').map((tid) => [Number(tid), Number(
        readFileSync('/proc/self/task/' + tid + '/stat', 'utf8').split(') ')[1].split(' ')[38])]);
      console.log(JSON.stringify({ pid: process.pid, policies }));
    }, 500);`;
  const { pid, policies } = JSON.parse(await output(process.execPath, ['-e', script], 10)) as {
    pid: number;
    policies: [number, number][];
  };
  expect(policies.length).toBeGreaterThan(4);
  expect(policies.filter(([tid, policy]) => tid !== pid && policy !== 0)).toEqual([]);
});

describe('a round of another tool', () => {
  let folder: string;
  let script: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bench-driver-test-'));
    script = join(folder, 'server.mjs');
    await bundle(new URL('../../bench/known-server-process.ts', import.meta.url), script);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /**
   * The threads that a tool had at another policy or nice value than the usual ones, while `measure` ran: main or not,
   * with policy and nice value.
   */
  async function privilegesDuring(measure: () => Promise<unknown>): Promise<string[]> {
    const before = new Set(childrenOf(process.pid).map(({ pid }) => pid));
    const seen = new Set<string>();
    const look = setInterval(() => {
      for (const { pid } of childrenOf(process.pid))
        if (!before.has(pid)) for (const one of privilegesOf(pid)) seen.add(one);
    }, 100);
    await measure().finally(() => clearInterval(look));
    return [...seen].sort();
  }

  it('gives our generator no privilege that another tool lacks', async () => {
    const worker = join(folder, 'load-worker.mjs');
    await bundle(workerEntry, worker);
    const kind = named('20 ms');
    const server = await startKnownServer(script, kind);
    try {
      const roundTrips = { begin() {}, end: async () => new Float64Array(), close() {} };
      const testBed = { folder, worker, roundTrips };
      const load = { kind, server, rateRps: 50, seconds: 1 };
      const own = { ...load, arrivals: 'constant', repetition: 1 } as const;
      const theirs = await privilegesDuring(() => measurePeer(testBed, autocannonPeer, load));
      expect(await privilegesDuring(() => measureDriver(testBed, { ...own, nextToOthers: true }))).toEqual(theirs);
      const alone = await privilegesDuring(() => measureDriver(testBed, { ...own, nextToOthers: false }));
      const isAllowed = await mayGiveRealTimePriority();
      expect(theirs).toEqual(isAllowed ? [`main thread: policy 2, nice ${getPriority()}`] : []);
      // As in a run: without other tools its pacer has it too, so the comparison above can fail.
      expect(alone).toEqual(
        isAllowed ? ['main', 'other'].map((which) => `${which} thread: policy 2, nice ${getPriority()}`) : [],
      );
    } finally {
      await server.close();
    }
  });

  it('sends a fresh server as much before the load as another tool does', async () => {
    const worker = join(folder, 'load-worker.mjs');
    await bundle(workerEntry, worker);
    const kind = named('20 ms, ordinary');
    const testBed = { folder, worker, roundTrips: { begin() {}, end: async () => new Float64Array(), close() {} } };
    /** Requests before those of the load. */
    const before = async (measure: (server: KnownServer) => Promise<number>): Promise<number> => {
      const started = await startKnownServer(script, kind);
      let served = 0;
      const count = async (): Promise<ServerLog> => {
        const log = await started.log();
        served += log.beginUs.length;
        return log;
      };
      const begin = async (): Promise<void> => {
        await count();
        await started.begin();
      };
      try {
        const requests = await measure({ ...started, begin, log: count });
        return served - requests;
      } finally {
        await started.close();
      }
    };
    const load = { kind, rateRps: 100, seconds: 1 };
    const own = { ...load, arrivals: 'constant', repetition: 1, nextToOthers: true } as const;
    const ours = await before(async (server) => (await measureDriver(testBed, { ...own, server })).scheduled);
    const theirs = await before(
      async (server) => (await measurePeer(testBed, autocannonPeer, { ...load, server })).requests,
    );
    expect(ours).toBe(warmUpSeconds * load.rateRps);
    expect(theirs / ours).toBeGreaterThan(0.8);
    expect(theirs / ours).toBeLessThan(1.2);
  });

  const named = (name: string): ServerKind => serverKinds.find((kind) => kind.name === name) as ServerKind;

  it.each(['20 ms', '20 ms, ordinary'])(
    'has the truth of its own requests, without those of its warm-up: %s',
    async (name) => {
      const kind = named(name);
      const started = await startKnownServer(script, kind);
      // A later log has the answers to requests that the tool abandoned.
      const logs: ServerLog[] = [];
      const server: KnownServer = {
        ...started,
        log: async () => {
          const log = await started.log();
          logs.push(log);
          return log;
        },
      };
      try {
        const testBed = {
          folder,
          worker: '',
          roundTrips: { begin() {}, end: async () => new Float64Array(), close() {} },
        };
        const round = await measurePeer(testBed, autocannonPeer, { kind, server, rateRps: 50, seconds: 2 });
        const { beginUs, endUs } = logs.at(-1) as ServerLog;
        expect(round.requests).toBeGreaterThan(0);
        // Those of the warm-up came before.
        expect(round.requests).toBeLessThan(beginUs.length);
        // Without stalls, the server's own times are the true ones.
        const times = beginUs.map((us, row) => (endUs[row] as number) - us);
        expect(round.truth).toEqual(quantilesOf(times.slice(-round.requests)));
        expect(round.truth.p50).toBeGreaterThanOrEqual(19_000);
        expect(round.slept.length).toBeGreaterThan(0);
      } finally {
        await server.close();
      }
    },
  );
});
