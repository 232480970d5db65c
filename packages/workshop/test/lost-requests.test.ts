/** What the page states of an enforcement point that dies. */
import { TopoBenchError } from '@topo-bench/core';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type Answer, Answerer, type Question } from '../src/predict/answer.ts';
import { comparedArchitectures } from '../src/predict/settings.ts';
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

async function lostIn(question: Question) {
  const answers: Answer[] = [];
  const emit = (answer: Answer): void => void answers.push(answer);
  await new Answerer().answer(question, emit, async () => undefined);
  const last = answers.at(-1);
  return last?.kind === 'lost' ? last.lost : expect.fail(JSON.stringify(last));
}

const chain = { topology: generated.replace('generate: 24', 'generate: 3') };

it('loses every request that needs the dead point, and none where nothing enforces', async () => {
  const lost = await lostIn({ ...quickstart(), texts: chain });
  expect(lost[0]).toEqual({ architecture: 'none', why: 'nothing enforces' });
  const stated = lost.flatMap((one) => ('role' in one ? [one] : []));
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

it('states why there is no figure', async () => {
  const lost = await lostIn({ ...quickstart({ rate: 50_000, machines: 'one', cores: 1 }), texts: chain });
  expect(lost.map(({ architecture }) => architecture)).toEqual(comparedArchitectures(3));
  expect(lost.map((one) => 'why' in one && one.why)).toEqual(Array(4).fill('does not keep up'));
  const large = await lostIn({
    ...{
      ...quickstart({ rate: 5, cores: 64 }),
      texts: { topology: generated.replace('generate: 24', 'generate: 101') },
    },
    part: { from: 3, of: 4 },
  });
  expect(large).toEqual([{ architecture: 'sidecar', why: 'not simulated above 100 services' }]);
});

it('keeps the other figures where this one fails', async () => {
  failure = 'too many events';
  onTestFinished(() => {
    failure = undefined;
  });
  const [, ...enforcing] = await lostIn({ ...quickstart(), texts: chain });
  expect(enforcing).toHaveLength(3);
  for (const one of enforcing) expect(one).toMatchObject({ why: 'not simulated: too many events' });
});
