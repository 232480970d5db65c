/** The worker of the page in a real browser: the figures of Node.js to the last bit, and its size. */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { launchChromium, missing, whyMissing } from '../../report/test/fixtures/chromium-page.ts';
import { bundled } from '../build/page-scripts.mjs';
import { type Answer, Answerer, type Question } from '../src/predict/answer.ts';
import { generated, quickstart } from './fixtures/question.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const kibibytes = async (entry: string): Promise<number> => gzipSync((await bundled(root, entry)).text).length / 1024;

test('the worker has at most 200 KiB compressed, and 40 KiB where it is given a graph', async () => {
  expect(await kibibytes('browser/worker.ts')).toBeLessThan(200);
  expect(await kibibytes('predict/replicate.ts')).toBeLessThan(40);
});

async function inNode(question: Question): Promise<Answer[]> {
  const answers: Answer[] = [];
  await new Answerer().answer(
    question,
    (answer) => answers.push(answer),
    async () => undefined,
  );
  return answers;
}

/** Performed by the browser. */
async function answersOf([script, question]: readonly [string, Question]): Promise<string> {
  interface Host {
    Worker: new (
      url: string,
    ) => { onmessage(event: { data: { answer: Answer } }): void; postMessage(data: unknown): void };
  }
  const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  const worker = new (globalThis as unknown as Host).Worker(url);
  const answers: Answer[] = [];
  return new Promise((resolve) => {
    worker.onmessage = ({ data: { answer } }) => {
      answers.push(answer);
      const isLast = answer.kind === 'failed' || answer.kind === 'details';
      if (isLast) resolve(JSON.stringify(answers));
    };
    worker.postMessage({ id: 1, question });
  });
}

describe.skipIf(missing)(`in Chromium${whyMissing}`, () => {
  test('the worker answers as Node.js does, to the last bit', async () => {
    const { text } = await bundled(root, 'browser/worker.ts');
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      for (const question of [
        quickstart(),
        quickstart({ rate: 300, machines: 'one', rulesPerService: 20, delayMs: 3 }),
        { ...quickstart({ services: 9 }), texts: { topology: generated } },
      ]) {
        const found = await page.evaluate(answersOf, [text, question] as const);
        const expected = await inNode(question);
        expect(found).toBe(JSON.stringify(expected));
        expect(expected.at(-2)).toMatchObject({ kind: 'cells', done: 8 });
        expect(expected.at(-1)).toMatchObject({ kind: 'details' });
      }
    } finally {
      await browser.close();
    }
  });
});
