/** What the page states of an enforcement point that dies, and of rules that change. */
import { TopoBenchError } from '@topo-bench/core';
import type { CalibrationFit, FittedCell } from '@topo-bench/core/schema/calibration';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Answer, Answerer, type Question } from '../src/predict/answer.ts';
import type { Details } from '../src/predict/details.ts';
import { comparedArchitectures } from '../src/predict/settings.ts';
import { fitted } from './fixtures/opened-workshop.ts';
import { generated, quickstart } from './fixtures/question.ts';

let failure: string | undefined;
vi.mock('@topo-bench/simulator', async (original) => {
  const real = await original<typeof import('@topo-bench/simulator')>();
  return {
    ...real,
    plannedEvents(given: Parameters<typeof real.plannedEvents>[0]) {
      if (failure !== undefined) throw new TopoBenchError('TB_USAGE', failure);
      return real.plannedEvents(given);
    },
  };
});

async function detailsIn(question: Question): Promise<Details[]> {
  const answers: Answer[] = [];
  const emit = (answer: Answer): void => void answers.push(answer);
  await new Answerer().answer(question, emit, async () => undefined);
  const last = answers.at(-1);
  return last?.kind === 'details' ? last.details : expect.fail(JSON.stringify(last));
}

const chain = { topology: generated.replace('generate: 24', 'generate: 3') };
const measured = { q1Us: 90, medianUs: 100, q3Us: 110, p95Us: 120, cpuUs: 50, cpuUsByKind: {} };

/** One held-out cell, which it missed by that factor. @param hops that its cells cover */
function fittedTo(factor: number, hops: [low: number, high: number]): Pick<Question, 'calibration'> {
  const calibration = fitted([]);
  const predicted = { ...measured, medianUs: 100 * factor, p95Us: 120 * factor };
  const cells = [{ heldOut: true, measured, predicted }] as unknown as FittedCell[];
  const range = { hops, turnsPerSecond: [0, 1e6], busyShare: [0, 1] } satisfies CalibrationFit['range'];
  return { calibration: { ...calibration, fit: { ...(calibration.fit as CalibrationFit), cells, range } } };
}

describe('the error of a calibration', () => {
  const here = quickstart({ machines: 'one' });
  const wideOf = async (question: Partial<Question>): Promise<number[]> => {
    const found = await detailsIn({ ...here, texts: chain, ...question });
    return found.map(({ uncertainty }) => {
      const [low, high] = uncertainty?.medianUs ?? expect.fail('no uncertainty');
      return high / low;
    });
  };

  it('widens intervals of its machine, the more the further a cell is from those that were measured', async () => {
    const exact = await wideOf(fittedTo(1, [0, 100]));
    const known = await wideOf(fittedTo(1.1, [0, 100]));
    const far = await wideOf(fittedTo(1.1, [0, 2]));
    // 90% intervals of a law whose median error is 10%.
    for (const wide of known) expect(wide).toBeGreaterThan(1.1 ** (2 * 1.645 * 1.4826));
    for (const [at, wide] of exact.entries()) expect(wide).toBeLessThan(known[at] as number);
    for (const [at, wide] of far.entries()) expect(wide).toBeGreaterThan(known[at] as number);
  });

  it.each([
    ['without a fit', here],
    ['for several machines', { ...quickstart(), ...fittedTo(1.1, [0, 100]) }],
    ['for other cores', { ...quickstart({ machines: 'one', cores: 3 }), ...fittedTo(1.1, [0, 100]) }],
  ])('is not stated %s', async (_, question) => {
    const found = await detailsIn({ ...question, texts: chain });
    expect(found.map(({ uncertainty }) => uncertainty)).toEqual(Array(4).fill(undefined));
  });
});

const nothing = { why: 'nothing enforces' };

it('loses every request that needs the dead point, and none where nothing enforces', async () => {
  const [none, ...enforcing] = await detailsIn({ ...quickstart(), texts: chain });
  expect(none).toEqual({ architecture: 'none', lost: nothing, ruleChange: nothing });
  const stated = enforcing.flatMap(({ architecture, lost }) => ('role' in lost ? [{ architecture, ...lost }] : []));
  expect(stated.map(({ architecture, role }) => [architecture, role])).toEqual([
    ['central-entity', 'central-entity'],
    ['dynamic-router-3', 'router-1'],
    ['sidecar', 'svc-1-sidecar'],
  ]);
  for (const { share, sent } of stated) {
    expect(share).toBe(1);
    expect(sent).toBeGreaterThan(40);
  }
});

describe('a change of rules', () => {
  const changedWith = async (distribution: string) => {
    const topology = `${chain.topology}enforcement: { distribution: ${distribution} }\n`;
    const [, ...enforcing] = await detailsIn({ ...quickstart({ cores: 16 }), texts: { topology } });
    return enforcing.map(({ architecture, ruleChange }) => {
      return 'why' in ruleChange ? expect.fail(ruleChange.why) : { architecture, ...ruleChange };
    });
  };

  it('is in force after the messages to the gateway and to all points', async () => {
    const { latencyUs, operations } = quickstart().calibration.demand;
    // Each is received, acknowledged and answered.
    const messageUs = 2 * latencyUs + 0.5 * (operations.receive.us + operations.acknowledge.us);
    const found = await changedWith('push');
    expect(found.map(({ architecture, points }) => [architecture, points])).toEqual([
      ['central-entity', 1],
      ['dynamic-router-3', 3],
      ['sidecar', 3],
    ]);
    for (const { inForce } of found) {
      expect(inForce.value).toBeGreaterThan(2 * messageUs);
      expect(inForce.value).toBeLessThan(20_000);
      expect(inForce.interval?.[0]).toBeLessThanOrEqual(inForce.value);
    }
  });

  it('waits for points that poll every 10 s, for longer than the load', async () => {
    // Changes that are spread evenly over an interval wait for half of it, and for more where several points ask.
    const [central, ...others] = await changedWith('{ poll: 10s }');
    expect((central?.inForce.value ?? 0) / 1e6).toBeGreaterThan(4.3);
    expect((central?.inForce.value ?? 0) / 1e6).toBeLessThan(5.8);
    for (const { inForce } of others) {
      expect(inForce.value).toBeGreaterThan(5e6);
      expect(inForce.value).toBeLessThan(10.1e6);
    }
  });
});

it('states why there is no figure', async () => {
  const busy = await detailsIn({ ...quickstart({ rate: 50_000, machines: 'one', cores: 1 }), texts: chain });
  const why = { why: 'does not keep up' };
  expect(busy).toEqual(comparedArchitectures(3).map((architecture) => ({ architecture, lost: why, ruleChange: why })));
  const large = await detailsIn({
    ...{
      ...quickstart({ rate: 5, cores: 64 }),
      texts: { topology: generated.replace('generate: 24', 'generate: 101') },
    },
    part: { from: 3, of: 4 },
  });
  const tooMany = { why: 'not simulated above 100 services' };
  expect(large).toEqual([{ architecture: 'sidecar', lost: tooMany, ruleChange: tooMany }]);
});

it('keeps the other figures where these fail', async () => {
  failure = 'too many events';
  onTestFinished(() => {
    failure = undefined;
  });
  const [, ...enforcing] = await detailsIn({ ...quickstart(), texts: chain });
  expect(enforcing).toHaveLength(3);
  const why = { why: 'not simulated: too many events' };
  for (const { lost, ruleChange } of enforcing) expect([lost, ruleChange]).toEqual([why, why]);
});
