/** The worker as the page uses it: an answer stream per question, and the newest question wins. */
import type { Explanation } from '@topo-bench/rule-engine/explain';
import type { Answer, Question } from '../predict/answer.ts';
import type { Step } from '../predict/explain-step.ts';
import type { FromWorker, ToWorker } from './worker.ts';

export class WorkerClient {
  readonly #worker: Worker;
  #last = 0;
  readonly #handlers = new Map<number, (answer: FromWorker['answer']) => void>();

  /** @param script text of the worker */
  constructor(script: string) {
    const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    this.#worker = new Worker(url, { name: 'simulator' });
    this.#worker.onmessage = ({ data: { id, answer } }: MessageEvent<FromWorker>) => this.#handlers.get(id)?.(answer);
  }

  /** Answers to earlier questions end. */
  ask(question: Question, onAnswer: (answer: Answer) => void): void {
    this.#handlers.clear();
    this.#send((id) => ({ id, question }), onAnswer as (answer: FromWorker['answer']) => void);
  }

  explain(step: Step): Promise<Explanation> {
    return new Promise((resolve, reject) => {
      this.#send(
        (id) => ({ id, step }),
        (answer) => {
          if (answer.kind === 'explained') resolve(answer.explanation);
          else if (answer.kind === 'failed') reject(new Error(answer.message));
        },
      );
    });
  }

  close(): void {
    this.#worker.terminate();
  }

  #send(messageOf: (id: number) => ToWorker, onAnswer: (answer: FromWorker['answer']) => void): void {
    const id = ++this.#last;
    this.#handlers.set(id, onAnswer);
    this.#worker.postMessage(messageOf(id));
  }
}
