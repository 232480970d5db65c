/**
 * Random topologies and rules under random crashes, freezes, slow roles and partitions, in virtual time. No request
 * reaches a service past enforcement, no service works on one twice, each ends exactly once and is in one class, and
 * after the last fault all are decided and delivered as the oracle expects.
 */
import { architectures, type GatewayRequest } from '@topo-bench/core';
import { spreads, styles } from '@topo-bench/core/schema/topology';
import { planDeployment } from '@topo-bench/deployment';
import type { MemoryAnswer, MemoryFault } from '@topo-bench/flow/memory';
import { createOracle } from '@topo-bench/oracle';
import { classesFault, requestClasses, requestSample } from '@topo-bench/results';
import { graphOf } from '@topo-bench/topology';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { memoryOf } from '../packages/flow/test/fixtures/memory.ts';
import { documentsArbitrary, requestArbitrary } from './fixtures/random-documents.ts';

const second = 1e6;
/** Faults begin and end within this time. */
const faultyUs = 2 * second;
const requestsOfRun = 24;

const faultArbitrary = fc.record({
  kind: fc.constantFrom('crash', 'freeze', 'slow', 'partition'),
  atUs: fc.integer({ min: 0, max: faultyUs / 2 }),
  forUs: fc.integer({ min: 1, max: faultyUs / 2 }),
  delayUs: fc.integer({ min: 1, max: 300_000 }),
  oneWay: fc.boolean(),
  role: fc.nat(),
});
type DrawnFault = typeof faultArbitrary extends fc.Arbitrary<infer T> ? T : never;

/** Each fault has roles of its own, since faults of one role do not overlap. */
function faultsOn(names: readonly string[], drawn: readonly DrawnFault[]): MemoryFault[] {
  const free = [...names];
  return drawn.flatMap(({ kind, atUs, forUs, delayUs, oneWay, role }): MemoryFault[] => {
    const [name] = free.splice(role % Math.max(1, free.length), 1);
    if (name === undefined) return [];
    const on = { atUs, roles: [name] };
    if (kind === 'crash') return [{ kind, ...on, restartUs: forUs }];
    if (kind === 'freeze') return [{ kind, ...on, forUs }];
    if (kind === 'slow') return [{ kind, ...on, delayUs, forUs }];
    return [{ kind: 'partition', atUs, forUs, oneWay, sides: [[name], names.filter((other) => other !== name)] }];
  });
}

/** The request as its client has it after the load. */
function sampleOf(answer: MemoryAnswer, request: GatewayRequest, intendedUs: number, row: number) {
  const response = typeof answer === 'string' ? undefined : answer.response;
  const status = typeof answer === 'string' ? null : answer.status;
  const rttUs = response?.rttUs ?? null;
  const doneUs = rttUs === null ? null : intendedUs + rttUs;
  const failure = typeof answer === 'string' ? answer : null;
  return requestSample({ intendedUs, sentUs: intendedUs, doneUs, rttUs, status, failure }, response, request, row);
}

it('under random faults, no request passes enforcement, and each is in one class: 200 topologies', {
  timeout: 120_000,
}, async () => {
  const seen = new Map<string, number>();
  const enforcement = fc.record({
    architecture: fc.constantFrom(...architectures),
    style: fc.constantFrom(...styles),
    routers: fc.integer({ min: 1, max: 4 }),
    replicas: fc.integer({ min: 1, max: 2 }),
    spread: fc.constantFrom(...spreads),
  });
  const requests = fc.array(fc.tuple(requestArbitrary, fc.integer({ min: 0, max: 2 * faultyUs })), {
    ...{ minLength: requestsOfRun, maxLength: requestsOfRun },
  });
  const faults = fc.array(faultArbitrary, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(documentsArbitrary, enforcement, faults, requests, async (documents, how, drawn, timed) => {
      const deadlines = { hop: '300ms', request: '1s' };
      const graph = graphOf({ ...documents.topology, enforcement: how, deadlines }, documents.rules);
      const names = planDeployment(graph).roles.map(({ name }) => name);
      const planned = faultsOn(names, drawn);
      const sent = timed.map(([request, atUs], row) => ({ request: { ...request, id: `r${row}` }, atUs }));
      const byId = new Map(sent.map(({ request }) => [request.id, request]));
      const called: [service: string, id: string][] = [];
      const worked = new Map<string, number>();
      const memory = await memoryOf(graph, {
        faults: planned,
        onEffect: (effect, { name, steps }) => {
          if (effect.kind === 'call' && steps === 'decide')
            called.push([graph.services[effect.service]?.name ?? '', effect.task.id]);
          if (effect.kind === 'work')
            worked.set(`${name} ${effect.task.id}`, (worked.get(`${name} ${effect.task.id}`) ?? 0) + 1);
        },
      });
      const oracle = createOracle(graph, memory.keys);
      const answers = await memory.sendAll(sent);
      const samples = answers.map((answer, row) => {
        const { request, atUs } = sent[row] as (typeof sent)[number];
        return sampleOf(answer, request, atUs, row);
      });
      for (const [service, id] of called) {
        const { steps } = oracle.expectedFlow(byId.get(id) as GatewayRequest);
        const allowed = steps.filter(({ effect }) => effect === 'allow' || effect === 'redact');
        expect(allowed.map((step) => step.service)).toContain(service);
      }
      for (const [row, { request, atUs }] of sent.entries()) {
        const sample = samples[row] as (typeof samples)[number];
        expect(oracle.checkRequest(request, sample)).toEqual({ wrong: 0, reasons: [] });
        if (atUs > faultyUs) expect(sample.outcome).toBe(oracle.expectedFlow(request).outcome);
      }
      const alternatives = graph.services.filter(({ alternative }) => alternative).map(({ name }) => name);
      for (const [of, count] of worked)
        if (!alternatives.some((name) => of.startsWith(`${name} `))) expect(count).toBe(1);
      const classes = requestClasses(samples, { deadlineUs: second }, sent.length);
      expect(classesFault(classes)).toBeUndefined();
      expect(memory.openForks()).toBe(0);
      for (const name of ['answered', 'refused', 'lost', 'failed'] as const)
        if (classes[name] > 0) seen.set(name, (seen.get(name) ?? 0) + 1);
      for (const { kind } of planned) seen.set(kind, (seen.get(kind) ?? 0) + 1);
    }),
    { numRuns: 200, seed: 20_261_127 },
  );
  // A property that meets none of a kind shows nothing about it.
  for (const kind of ['answered', 'refused', 'lost', 'failed', 'crash', 'freeze', 'slow', 'partition'])
    expect(seen.get(kind) ?? 0, kind).toBeGreaterThanOrEqual(30);
});
