/** The workers as the page uses them: each answers for some architectures, and the newest question wins. */
import type { Explanation } from '@topo-bench/rule-engine/explain';
import type { Answer, CellsQuestion, Question } from '../predict/answer.ts';
import type { Step } from '../predict/explain-step.ts';
import { merged } from './merged-answers.ts';
import { QuestionTurns } from './question-turns.ts';
import type { FromWorker, ToWorker } from './worker.ts';

type Handler = (answer: FromWorker['answer']) => void;

/** One per architecture, and no more than there are cores. */
const maxWorkers = 4;

export class WorkerClient {
  readonly #workers: readonly Worker[];
  #last = 0;
  readonly #handlers = new Map<number, Handler>();
  /** Messages of the question that is answered. */
  #asked: number[] = [];
  readonly #turns = new QuestionTurns();

  /** @param script text of the worker */
  constructor(script: string) {
    const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    const count = Math.max(1, Math.min(maxWorkers, navigator.hardwareConcurrency));
    this.#workers = Array.from({ length: count }, () => {
      const worker = new Worker(url, { name: 'simulator' });
      worker.onmessage = ({ data: { id, answer } }: MessageEvent<FromWorker>) => this.#handlers.get(id)?.(answer);
      return worker;
    });
  }

  /** Answers to earlier questions end when it is asked. */
  ask(question: Question | CellsQuestion, onAnswer: (answer: Answer) => void): void {
    this.#turns.take(() => this.#ask(question, onAnswer));
  }

  #ask(question: Question | CellsQuestion, onAnswer: (answer: Answer) => void): void {
    for (const id of this.#asked) this.#handlers.delete(id);
    const { length: of } = this.#workers;
    const take = merged(of, (answer) => {
      onAnswer(answer);
      if (answer.kind !== 'read') this.#turns.answered();
    });
    this.#asked = this.#workers.map((worker, from) => {
      const handler = (answer: FromWorker['answer']): void => take(from, answer as Answer);
      return this.#send(worker, (id) => ({ id, question: { ...question, part: { from, of } } }), handler);
    });
  }

  explain(step: Step): Promise<Explanation> {
    return new Promise((resolve, reject) => {
      this.#send(
        this.#workers[0] as Worker,
        (id) => ({ id, step }),
        (answer) => {
          if (answer.kind === 'explained') resolve(answer.explanation);
          else if (answer.kind === 'failed') reject(new Error(answer.message));
        },
      );
    });
  }

  close(): void {
    for (const worker of this.#workers) worker.terminate();
  }

  #send(worker: Worker, messageOf: (id: number) => ToWorker, onAnswer: Handler): number {
    const id = ++this.#last;
    this.#handlers.set(id, onAnswer);
    worker.postMessage(messageOf(id));
    return id;
  }
}
