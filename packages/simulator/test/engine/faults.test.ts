/** Crashes, freezes, slow roles and partitions on the calendar: as in the deployment in memory. */
import { architectures } from '@topo-bench/core';
import { keyedHashing } from '@topo-bench/core/keyed-hashing';
import { styles } from '@topo-bench/core/schema/topology';
import { deliveryKeys } from '@topo-bench/deployment';
import type { MemoryFault } from '@topo-bench/flow/memory';
import { graphOf } from '@topo-bench/topology';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { documentsArbitrary, requestArbitrary } from '../../../../test/fixtures/random-documents.ts';
import { memoryOf } from '../../../flow/test/fixtures/memory.ts';
import { freeModel, hostWith } from '../fixtures/free-model.ts';
import { replicationsOf } from '../fixtures/replications.ts';

const hashing = keyedHashing(deliveryKeys('a test'));
const links = [{ from: 'eu', to: 'us', delay: '7ms', jitter: '3ms' }];
const defaults = { work: { law: 'exponential', mean: '40ms', kind: 'wait' } } as const;
const requests = 40;
/** Times travel in whole µs, and timers are no shorter than they are. */
const toleranceUs = 50;

const drawn = fc.record({
  kind: fc.constantFrom('crash', 'freeze', 'slow', 'partition'),
  atUs: fc.integer({ min: 0, max: 800_000 }),
  forUs: fc.integer({ min: 50_000, max: 700_000 }),
  delayUs: fc.integer({ min: 1000, max: 150_000 }),
  oneWay: fc.boolean(),
  role: fc.nat(),
});
const cases = fc.record({
  documents: documentsArbitrary,
  enforcement: fc.record({
    architecture: fc.constantFrom(...architectures, 'dynamic-router' as const, 'dynamic-router' as const),
    style: fc.constantFrom(...styles),
    routers: fc.integer({ min: 2, max: 4 }),
    replicas: fc.constantFrom(1, 1, 2),
    takeover: fc.constantFrom(true, true, false),
    breaker: fc.option(fc.record({ failures: fc.integer({ min: 1, max: 3 }), openFor: fc.constant('200ms') }), {
      nil: undefined,
    }),
  }),
  sent: fc.array(requestArbitrary, { minLength: 8, maxLength: 8 }),
  faults: fc.array(drawn, { minLength: 1, maxLength: 3 }),
});

function faultsOn(names: readonly string[], list: readonly (typeof drawn extends fc.Arbitrary<infer T> ? T : never)[]) {
  const free = [...names];
  return list.flatMap(({ kind, atUs, forUs, delayUs, oneWay, role }): MemoryFault[] => {
    const [name] = free.splice(role % Math.max(1, free.length), 1);
    if (name === undefined || (kind === 'crash' && name.startsWith('gateway'))) return [];
    const on = { atUs, roles: [name] };
    if (kind === 'crash') return [{ kind, ...on, restartUs: forUs }];
    if (kind === 'freeze') return [{ kind, ...on, forUs }];
    if (kind === 'slow') return [{ kind, ...on, delayUs, forUs }];
    return [{ kind: 'partition', atUs, forUs, oneWay, sides: [[name], names.filter((other) => other !== name)] }];
  });
}

it('answers, errors and times are those of the deployment in memory', async () => {
  const seen = new Map<string, number>();
  for (const { documents, enforcement: all, sent, faults: list } of fc.sample(cases, {
    numRuns: 60,
    seed: 20_261_201,
  })) {
    const { takeover, breaker, ...own } = all;
    const isRouter = own.architecture === 'dynamic-router' && (documents.topology.services?.length ?? 0) > 1;
    const resilience = { takeover: takeover && isRouter, ...(breaker && { breaker }) };
    const enforcement = { ...own, resilience };
    const deadlines = { hop: '300ms', request: '1s' };
    const graph = graphOf({ ...documents.topology, links, defaults, enforcement, deadlines }, documents.rules);
    const { deployment } = await replicationsOf(graph, { rateRps: 1, seconds: 1 });
    const faults = faultsOn(
      deployment.parts.roles.map(({ name }) => name),
      list,
    );
    const scheduleUs = Float64Array.from({ length: requests }, (_, i) => 37_013 * i);
    const requestOf = (i: number) => ({ ...(sent[i % sent.length] as (typeof sent)[0]), id: `request-${i}` });
    const { answerTo, isLive } = deployment.replicate({
      ...{ model: freeModel, cluster: hostWith(99, graph.nodes.length), repetition: 1, scheduleUs, requestOf, faults },
      ...{ durationUs: 2e6, drainUs: 60e6, servedBefore: 0 },
    });
    expect(isLive).toBe(true);
    const memory = await memoryOf(graph, { faults });
    const answers = await memory.sendAll(Array.from(scheduleUs, (atUs, i) => ({ request: requestOf(i), atUs })));
    const what = JSON.stringify({ enforcement, faults });
    for (const [i, answer] of answers.entries()) {
      if (typeof answer === 'string') throw new RangeError(answer);
      const { rttUs, message: _, ...expected } = answer.response;
      const simulated = answerTo(i, hashing);
      const { rttUs: ownUs = Number.NaN, message: __, ...own } = simulated?.response ?? ({} as typeof answer.response);
      expect({ status: simulated?.status, ...own }, `${i} ${what}`).toEqual({ status: answer.status, ...expected });
      expect(Math.abs(ownUs - rttUs), `${i} ${what}`).toBeLessThan(toleranceUs);
      const { error = 'none' } = expected;
      if (expected.steps.some(({ takenOver }) => takenOver)) seen.set('takeover', 1);
      for (const { kind } of faults) seen.set(`${kind} ${error.split(':')[0]}`, (seen.get(kind) ?? 0) + 1);
    }
  }
  const kinds = [
    'crash unreachable',
    'crash none',
    'freeze deadline',
    'slow none',
    'partition deadline',
    'crash breaker',
    'takeover',
  ];
  expect(kinds.filter((kind) => !seen.has(kind))).toEqual([]);
}, 60_000);
