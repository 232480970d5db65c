/** The web worker of the page: answers the newest question, and drops the one before it. */
import { z } from 'zod';
import { type Answer, Answerer, type CellsQuestion, type Question } from '../predict/answer.ts';
import { explainStep, type Step } from '../predict/explain-step.ts';

export type ToWorker = { id: number; question: Question | CellsQuestion } | { id: number; step: Step };
export type FromWorker = {
  id: number;
  answer: Answer | { kind: 'explained'; explanation: ReturnType<typeof explainStep> };
};

interface Scope {
  onmessage: ((event: { data: ToWorker }) => void) | null;
  postMessage(message: FromWorker): void;
}

// The content security policy allows no code from texts, which zod would try to use.
z.config({ jitless: true });

const scope = globalThis as unknown as Scope;
const answerer = new Answerer();
const superseded = Symbol('superseded');
let newest = 0;
/** Questions are answered one after the other: each of them ends soon once it is superseded. */
let turn: Promise<void> = Promise.resolve();

scope.onmessage = ({ data }) => {
  if ('step' in data) {
    scope.postMessage({ id: data.id, answer: explained(data.step) });
    return;
  }
  const { id, question } = data;
  newest = id;
  const pause = async (): Promise<void> => {
    await macrotask();
    if (newest !== id) throw superseded;
  };
  const emit = (answer: Answer): void => scope.postMessage({ id, answer });
  turn = turn
    .then(pause)
    .then(() => answerer.answer(question, emit, pause))
    .catch((error: unknown) => {
      if (error !== superseded) emit({ kind: 'failed', message: String(error) });
    });
};

function explained(step: Step): FromWorker['answer'] {
  try {
    return { kind: 'explained', explanation: explainStep(step) };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

const channel = new MessageChannel();
const waiting: (() => void)[] = [];
channel.port1.onmessage = () => waiting.shift()?.();

/** Other messages get their turn. A timer would wait for 4 ms. */
function macrotask(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    channel.port2.postMessage(undefined);
  });
}
