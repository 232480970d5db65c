/**
 * A child process that answers one request at a time over IPC and ends on request. Its measurements have a process of
 * their own, which shares neither memory nor an event loop with the run.
 */
import { type ErrorCode, errorCodes, TopoBenchError } from '@topo-bench/core';
import { describeEnd, type OwnScript, PendingAnswer, SupervisedChild } from '@topo-bench/host';
import type { FailedAnswer } from './answers.ts';

export interface AskedChildOptions {
  /** Subject of a sentence about its end. */
  name: string;
  script: OwnScript;
  /** Code of its unexpected end. */
  code: ErrorCode;
  /** After a request to stop; it is killed then. */
  graceMs: number;
}

/** `Request` and `Answer` are its messages by kind; every child also understands `{ kind: 'stop' }`. */
export class AskedChild<Request extends { kind: string }, Answer extends { kind: string }> {
  readonly #child: SupervisedChild;
  readonly #answer = new PendingAnswer<Answer>();
  readonly #graceMs: number;

  constructor({ name, script: { path, execArgv }, code, graceMs }: AskedChildOptions) {
    this.#graceMs = graceMs;
    this.#child = new SupervisedChild({
      command: process.execPath,
      args: [...execArgv, path],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
      onMessage: (message: Answer | FailedAnswer) => this.#onMessage(message),
    });
    void this.#child.exitedWithErrors().then((end) => {
      const lines = this.#child.errorLines.map((line) => `\n  | ${line}`).join('');
      this.#answer.fail(new TopoBenchError(code, `${name} ${describeEnd(end)}${lines}`));
    });
  }

  /**
   * A failure is final: later requests reject with it.
   * @param kind of the answer to this request
   * @throws TopoBenchError the failure that the child reports, or its end
   */
  async ask<Kind extends Answer['kind']>(request: Request, kind: Kind): Promise<Extract<Answer, { kind: Kind }>> {
    const answer = await this.#answer.ask(() => this.#child.send(request));
    if (answer.kind === kind) return answer as Extract<Answer, { kind: Kind }>;
    throw new TopoBenchError(
      'TB_INTERNAL',
      `answer to \`${request.kind}\`: got \`${answer.kind}\`, expected \`${kind}\``,
    );
  }

  /** Ends it at once, as a crash does. */
  async kill(): Promise<void> {
    this.#child.kill();
    await this.#child.exited;
  }

  /** May be called again. */
  async stop(): Promise<void> {
    if (this.#child.end) return;
    this.#child.send({ kind: 'stop' });
    const timer = setTimeout(() => this.#child.kill(), this.#graceMs);
    await this.#child.exited;
    clearTimeout(timer);
  }

  #onMessage(message: Answer | FailedAnswer): void {
    if (message.kind !== 'failed') return void this.#answer.settle(message as Answer);
    const { code, message: text, hint } = message as FailedAnswer;
    const known = code in errorCodes ? (code as ErrorCode) : 'TB_INTERNAL';
    this.#answer.fail(new TopoBenchError(known, text, hint === undefined ? {} : { hint }));
  }
}
