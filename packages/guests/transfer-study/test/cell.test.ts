import { type RoleStats, TopoBenchError } from '@topo-bench/core';
import { cell as cellSchema } from '@topo-bench/core/schema/result';
import { resolveExperiment } from '@topo-bench/experiment';
import type { LoadResult } from '@topo-bench/loadgen';
import type { StreamRecord } from '@topo-bench/loadgen/flight/transfer';
import { studies } from '@topo-bench/studies';
import type { ExperimentCell } from '@topo-bench/trial';
import { describe, expect, it } from 'vitest';
import { assembleTransferCell, type TransferRepetition } from '../src/cell.ts';
import { transferSamples } from '../src/samples.ts';

const [cell] = resolveExperiment(
  {
    experiment: {
      file: 'e.yaml',
      text: 'apiVersion: topo-bench/v1\nkind: Experiment\nname: e\ntopology: t.yaml\nload: { driver: flight }\nflight: { streams: 2, rows: 1000 }\n',
    },
    topology: {
      file: 't.yaml',
      text: 'apiVersion: topo-bench/v1\nkind: Topology\nname: t\nservices: [{ name: table, arrow: { flight: {} } }]\n',
    },
    choices: {},
  },
  studies,
).cells as [ExperimentCell];

const record = (stream: number, changes: Partial<StreamRecord> = {}): StreamRecord => ({
  stream,
  rows: 1000,
  bytes: 32_000,
  firstBatchUs: 100 * (stream + 1),
  checked: 4,
  wrong: 0,
  ...changes,
});

function servedUnder(rules: number | undefined): TransferRepetition['served'] {
  const role = { name: 'table', kind: 'service' as const, url: '', flightUrl: '', node: 0, host: 'h' };
  return {
    role,
    table: cell.graph.services[0]?.arrow as TransferRepetition['served']['table'],
    seed: 1,
    rules,
    textColumns: [],
    pseudonymKey: '',
    clientToken: 'client',
    digestKey: '',
  };
}

/** Stream 0 goes from 10 to 1010 µs, stream 1 from 20 to 2010 µs. */
function assembled(
  records: StreamRecord[] = [record(0), record(1)],
  facts: Partial<TransferRepetition> = {},
  busy = 0.5,
) {
  const load = {
    startedAt: new Date(0),
    startAtUs: 0,
    startErrorUs: 0,
    durationUs: 1e6,
    samples: {
      index: Uint32Array.of(0, 1),
      intendedUs: Float64Array.of(10, 20),
      sentUs: Float64Array.of(10, 20),
      doneUs: Float64Array.from(records, ({ error }, at) => (error ? Number.NaN : (at + 1) * 1000 + 10)),
      rttUs: new Float64Array(2),
      status: Uint16Array.of(200, 200),
      error: new Uint8Array(2),
    },
    sent: 2,
    unfinished: 0,
    inFlight: { max: 2, cap: 2, refused: 0 },
    generators: [{ windowUs: 2000, cpuUs: 1000, eventLoopUtilization: busy, rssBytes: 5e6 }],
    granted: { realTimePriority: false, coresKeptAwake: false },
    transferred: { warm: true, streams: records },
    body: () => undefined,
  } satisfies LoadResult;
  const decisions = { allow: 0, deny: 0, redact: 0, reroute: 0 };
  const stats = { kind: 'service', decisions, eventLoopUtilization: 0.6 } as RoleStats;
  return assembleTransferCell({
    cell,
    repetition: 1,
    history: { rank: 1 },
    load,
    samples: transferSamples(load, 'get'),
    use: {},
    processes: {},
    host: { idlePercent: 30 },
    server: { name: 'topo-bench' },
    stats,
    deaths: [],
    served: servedUnder(undefined),
    check: { wrong: 0, examples: [] },
    ...facts,
  });
}

describe('the entry of a transfer', () => {
  it('has the throughput over the whole transfer, and of each stream over its own time', () => {
    const entry = assembled();
    expect(cellSchema().safeParse(JSON.parse(JSON.stringify(entry))).error).toBeUndefined();
    expect(entry.validity).toEqual({ valid: true, reasons: [], flags: [] });
    // 64 000 bytes and 2000 rows in the 2000 µs from the first start to the last end.
    expect(entry.flight).toMatchObject({
      rows: 2000,
      bytes: 64_000,
      durationUs: 2000,
      megabytesPerSecond: 32,
      rowsPerSecond: 1e6,
    });
    expect(entry.flight?.perStream.map(({ megabytesPerSecond }) => megabytesPerSecond)).toEqual([32, 32_000 / 1990]);
    expect(entry.flight?.firstBatch).toMatchObject({ count: 2, minUs: 100, maxUs: 200 });
    expect(entry.resources.generator).toMatchObject({ cpuPercent: 50, rssBytes: 5e6 });
    expect(entry.outcomes).toEqual({ completed: 2, refused: 0, error: 0, unfinished: 0 });
  });

  it('is invalid with the reason when rows are missing, values are wrong, a stream failed or the service died', () => {
    const reasons = (records: StreamRecord[], facts?: Partial<TransferRepetition>) =>
      assembled(records, facts).validity.reasons;
    expect(reasons([record(0), record(1, { rows: 900 })])).toEqual(['1900 of 2000 rows arrived']);
    expect(reasons([record(0), record(1, { wrong: 2, wrongExample: 'column a of row 7 is 1, expected 2' })])).toEqual([
      '2 wrong values: column a of row 7 is 1, expected 2',
    ]);
    expect(reasons([record(0), record(1, { rows: 10, error: { kind: 'unavailable', message: 'gone' } })])).toEqual([
      '1 error in 2 requests (50%), at most 0% allowed: 1 unavailable',
      'stream 1: unavailable: gone',
    ]);
    expect(
      reasons([record(0), record(1)], { deaths: [new TopoBenchError('TB_ROLE_DIED', 'table was ended by SIGKILL')] }),
    ).toEqual(['died during the repetition: table was ended by SIGKILL']);
    expect(reasons([record(0), record(1)], { check: { wrong: 3, examples: ['1 B'] } })).toEqual([
      '3 wrong decisions',
      'wrong: 1 B',
    ]);
  });

  it('names its server, and counts its rows where it counts none itself', () => {
    const pyarrow = { server: { name: 'pyarrow', version: '1.2.3' }, stats: undefined };
    const entry = assembled(undefined, pyarrow);
    expect(cellSchema().safeParse(JSON.parse(JSON.stringify(entry))).error).toBeUndefined();
    expect(entry).toMatchObject({ validity: { valid: true }, flight: { server: pyarrow.server } });
    const missing = assembled([record(0), record(1, { rows: 900 })], pyarrow);
    expect(missing.validity.reasons).toEqual(['1900 of 2000 rows arrived']);
  });

  it('counts rows that rules refused, and requires that every row was decided', () => {
    const governed = (deny: number, allow: number) => {
      const decisions = { allow, deny, redact: 0, reroute: 0 };
      const stats = {
        decisions,
        eventLoopUtilization: 0.6,
        columns: { rows: allow + deny, byRule: { no: deny }, exposureBytes: { personal: 7 } },
      };
      return assembled([record(0), record(1, { rows: 900 })], {
        stats: stats as unknown as RoleStats,
        served: servedUnder(2),
      });
    };
    const entry = governed(100, 1900);
    expect(entry.validity).toMatchObject({ valid: true, reasons: [] });
    expect(entry).toMatchObject({
      decisions: { deny: 100, allow: 1900, wrong: 0, byRule: { no: 100 } },
      exposureBytes: { personal: 7 },
    });
    expect(entry.flight?.governed).toEqual({ rules: 2, rows: 2000 });
    expect(governed(99, 1900).validity.reasons).toEqual([
      '1900 of 2000 rows arrived, 99 were refused',
      '1999 of 2000 rows were decided',
    ]);
  });

  it('is flagged when the generator was busy all the time and the service was not', () => {
    expect(assembled(undefined, undefined, 0.95).validity).toEqual({
      valid: true,
      reasons: [],
      flags: ['generator-limited'],
    });
    const busier = { eventLoopUtilization: 0.99, decisions: { allow: 0, deny: 0, redact: 0, reroute: 0 } } as RoleStats;
    expect(assembled(undefined, { stats: busier }, 0.95).validity.flags).toEqual([]);
  });
});
