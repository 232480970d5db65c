import { type Delivered, type StepRecord, TopoBenchError } from '@topo-bench/core';
import { deliveredDigests } from '@topo-bench/core/delivered-digest';
import { cell as cellSchema, type EventRecord } from '@topo-bench/core/schema/result';
import { resolveExperiment } from '@topo-bench/experiment';
import { studies } from '@topo-bench/studies';
import type { ExperimentCell } from '@topo-bench/trial';
import { requestGenerator } from '@topo-bench/workload';
import { describe, expect, it } from 'vitest';
import { answered, type Recorded, recordedLoad } from '../../study-kit/test/fixtures/recorded-load.ts';
import { assembleCell, type RequestMeasurement } from '../src/cell.ts';
import { checkDecisions } from '../src/check-decisions.ts';
import { requestSamples } from '../src/samples.ts';

const rules = `apiVersion: topo-bench/v1
kind: Rules
name: one
rules:
  - id: seen
    effect: redact
    redact: { remove: [/customer] }
    when: { fact: target, path: $.service, operator: equal, value: svc-2 }
`;
const [cell] = resolveExperiment(
  {
    experiment: {
      file: 'e.yaml',
      text: 'apiVersion: topo-bench/v1\nkind: Experiment\nname: e\ntopology: t.yaml\nload: { rate: 1000 }\n',
    },
    topology: {
      file: 't.yaml',
      text: 'apiVersion: topo-bench/v1\nkind: Topology\nname: t\nservices: [{ generate: 2 }]\nenforcement: { architecture: sidecar }\n',
    },
    rules: { file: 'r.yaml', text: rules },
    choices: {},
  },
  studies,
).cells as [ExperimentCell];
const requestOf = requestGenerator({ classes: cell.graph.requestClasses, seed: 1, repetition: 1 });

const right: StepRecord[] = [
  { service: 'svc-1', effect: 'allow' },
  { service: 'svc-2', effect: 'redact', rule: 'seen' },
];
const keys = { pseudonymKey: 'pseudonyms', digestKey: 'digests' };

/** What both services received of the request of a row. @param hidden whether the second got its redacted copy */
function deliveredOf(row: number, hidden = true): Delivered {
  const { payload } = requestOf(row);
  const digests = deliveredDigests(payload, keys.digestKey);
  const { customer: _, ...rest } = digests;
  return {
    services: [
      { service: 'svc-1', copy: 0 },
      { service: 'svc-2', copy: hidden ? 1 : 0 },
    ],
    copies: [digests, rest],
  };
}
const many = (steps: StepRecord[], count = 20, from = 0): Recorded[] =>
  Array.from({ length: count }, (_, i) => answered(500, { steps, delivered: deliveredOf(from + i) }));

async function assembled(recorded: readonly Recorded[], facts: Partial<RequestMeasurement> = {}) {
  const load = recordedLoad(recorded);
  const samples = requestSamples(load, requestOf);
  const check = await checkDecisions(cell.graph, samples, requestOf, keys);
  return assembleCell({
    deployment: { roles: [{ name: 'gateway', kind: 'gateway', url: '', node: 0, host: 'h', goesFirst: true }] },
    cell,
    repetition: 1,
    job: { rateRps: 1000, durationUs: load.durationUs } as RequestMeasurement['job'],
    load,
    samples,
    check,
    warm: true,
    history: { rank: 2, warmUp: { durationUs: 8e6, finalRps: 900 } },
    deaths: [],
    stats: [],
    windowUs: 1e6,
    use: {},
    pssBytesOf: new Map(),
    host: { idlePercent: 40 },
    ...facts,
  });
}

describe('the entry of a repetition', () => {
  it('is valid when every decision is right, and as the schema has it', async () => {
    const entry = await assembled(many(right));
    // For a median RTT of 500 µs and a smallest difference of 5%.
    expect(entry.validity).toEqual({ valid: true, reasons: [], flags: [], lagLimit: { p99Us: 1000, meanUs: 2.5 } });
    expect(cellSchema().safeParse(JSON.parse(JSON.stringify(entry))).success).toBe(true);
    expect(entry).toMatchObject({
      factors: { architecture: 'sidecar', services: 2, rate: 1000 },
      offeredRps: 1000,
      achievedRps: 1000,
      decisions: { allow: 20, redact: 20, wrong: 0, byRule: { seen: 20 } },
      resources: { host: { idlePercent: 40 } },
      gateway: { priority: true },
      deployment: { rank: 2, warmUp: { durationUs: 8e6, finalRps: 900 } },
    });
  });

  it.each<[string, StepRecord[]]>([
    ['another effect', [right[0]!, { service: 'svc-2', effect: 'allow' }]],
    ['another rule', [right[0]!, { service: 'svc-2', effect: 'redact', rule: 'other' }]],
    ['a missing step', [right[0]!]],
    ['steps out of order', [right[1]!, right[0]!]],
  ])('is invalid when the oracle finds %s', async (_, steps) => {
    const entry = await assembled([...many(right, 19), ...many(steps, 1, 19)]);
    expect(entry.decisions.wrong).toBeGreaterThan(0);
    expect(entry.validity.valid).toBe(false);
    expect(entry.validity.reasons.at(-1)).toMatch(/^wrong: r1-000019: svc-/);
  });

  it('is invalid when a service received what a rule hides from it, and names the field', async () => {
    const leaked = answered(500, { steps: right, delivered: deliveredOf(19, false) });
    const entry = await assembled([...many(right, 19), leaked]);
    expect(entry.decisions.wrong).toBe(1);
    expect(entry.validity.valid).toBe(false);
    expect(entry.validity.reasons.at(-1)).toBe(
      'wrong: r1-000019: svc-2 received the original "customer" (expected none)',
    );
  });

  it('is invalid when a service did not report what it received', async () => {
    const { delivered: _, ...silent } = answered(500, { steps: right }).response ?? {};
    const entry = await assembled([...many(right, 19), { ...answered(500), response: silent }]);
    expect(entry.decisions.wrong).toBe(2);
    expect(entry.validity.reasons.at(-1)).toBe('wrong: r1-000019: svc-1 received nothing, expected the payload');
  });

  it('is invalid when a role died, with its name', async () => {
    const deaths = [new TopoBenchError('TB_INTERNAL', 'svc-2 was ended by SIGKILL\n  | last words')];
    expect((await assembled(many(right), { deaths })).validity).toMatchObject({
      valid: false,
      reasons: ['died during the repetition: svc-2 was ended by SIGKILL'],
    });
  });

  const unreachable: Recorded = {
    ...{ status: 503, tookUs: 300 },
    response: { outcome: 'error', error: 'unreachable:svc-1', rttUs: 200, steps: [], exposureBytes: {} },
  };
  const happened = (fromUs: number, end: number | undefined): EventRecord => {
    const instant = (us: number) => ({ atUs: us, requestedUs: us, effectiveUs: us });
    const begin = instant(fromUs);
    return {
      name: 'crash svc-1',
      kind: 'crash',
      roles: ['svc-1'],
      begin,
      end: end === undefined ? { atUs: 9000 } : instant(end),
    };
  };

  it('is valid with the errors of a planned crash, which its record has', async () => {
    const recorded = [...many(right, 19), unreachable];
    const entry = await assembled(recorded, { events: [happened(18_000, 19_500)] });
    expect(entry.validity).toMatchObject({ valid: true });
    expect(entry.classes).toMatchObject({
      scheduled: 20,
      answered: 19,
      failed: 1,
      failedBy: { 'unreachable:svc-1': 1 },
    });
    expect(entry.events?.[0]?.effects).toMatchObject({ failed: 1, lost: 0, detectedUs: 1300 });
    expect(cellSchema().safeParse(JSON.parse(JSON.stringify(entry))).success).toBe(true);
  });

  it('is invalid with errors that no event explains', async () => {
    const recorded = [unreachable, ...many(right, 19, 1)];
    const { validity } = await assembled(recorded, { events: [happened(18_000, 19_500)] });
    expect(validity.reasons).toEqual(['1 error in 20 requests (5%), at most 0% allowed: 1 unreachable:svc-1']);
  });

  it('is invalid when an event did not take effect, or a scheduled request is in no class', async () => {
    const ended = await assembled(many(right), { events: [happened(5000, undefined)] });
    expect(ended.validity.reasons).toEqual(['the end of crash svc-1 did not take effect during the load']);
    const missing = await assembled(many(right), { scheduled: 21 });
    expect(missing.validity.reasons).toEqual([
      'the classes of requests add up to 20, expected the 21 scheduled requests',
    ]);
  });

  it('counts a request as duplicated when a service reports that it worked on it twice', async () => {
    const stats = [
      { name: 'svc-1', kind: 'service', repeated: ['r1-000003'] },
    ] as unknown as RequestMeasurement['stats'];
    expect((await assembled(many(right), { stats })).classes).toMatchObject({ answered: 19, duplicated: 1 });
  });

  it('is flagged when cold, saturated or unfinished, and stays valid', async () => {
    const entry = await assembled([...many(right), {}], { warm: false, host: { idlePercent: 1 } });
    expect(entry.validity).toMatchObject({ valid: true, reasons: [], flags: ['host-saturated', 'cold', 'unfinished'] });
  });

  it('has no figures of a host that reports none', async () => {
    expect((await assembled(many(right), { host: undefined })).resources).not.toHaveProperty('host');
  });
});
