/** What the page states of an enforcement point that dies. */
import { expect, it } from 'vitest';
import { type Answer, Answerer, type Question } from '../src/predict/answer.ts';
import { generated, quickstart } from './fixtures/question.ts';

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
  expect(lost.map(({ architecture, role }) => [architecture, role])).toEqual([
    ['central-entity', 'central-entity'],
    ['dynamic-router-3', 'router-1'],
    ['sidecar', 'svc-1-sidecar'],
  ]);
  for (const { share, sent } of lost) {
    expect(share).toBe(1);
    expect(sent).toBeGreaterThan(40);
  }
});

it('states nothing of an architecture that does not keep up', async () => {
  const lost = await lostIn({ ...quickstart({ rate: 50_000, machines: 'one', cores: 1 }), texts: chain });
  expect(lost).toEqual([]);
});
