import { expect, it } from 'vitest';
import { merged } from '../../src/browser/merged-answers.ts';
import { type Answer, Answerer } from '../../src/predict/answer.ts';
import { quickstart } from '../fixtures/question.ts';

it('joins the answers of workers, in whatever order they come, to those of one', async () => {
  const answersTo = async (part?: { from: number; of: number }): Promise<Answer[]> => {
    const answers: Answer[] = [];
    const question = { ...quickstart(), ...(part && { part }) };
    await new Answerer().answer(
      question,
      (answer) => answers.push(answer),
      async () => undefined,
    );
    return answers;
  };
  const expected = await answersTo();
  for (const of of [2, 3]) {
    const parts = await Promise.all(Array.from({ length: of }, (_, from) => answersTo({ from, of })));
    const found: Answer[] = [];
    const take = merged(of, (answer) => found.push(answer));
    // The reads come first from each worker; after that, one worker is far ahead.
    for (const [worker, [read]] of parts.entries()) take(worker, read as Answer);
    for (const [worker, answers] of parts.entries()) for (const answer of answers.slice(1)) take(worker, answer);
    expect(found[0]).toEqual(expected[0]);
    expect(found.at(-1)).toEqual(expected.at(-1));
  }
});

it('a failure of one worker is the last answer', () => {
  const found: Answer[] = [];
  const take = merged(2, (answer) => found.push(answer));
  const read: Answer = { kind: 'read', problems: [], drawings: {}, routers: 3, compared: [] };
  take(0, read);
  take(0, { kind: 'failed', message: 'too large' });
  take(1, read);
  expect(found).toEqual([{ kind: 'failed', message: 'too large' }]);
});
