/** Our side of a server's guard: starts it, has it run commands and the server, reports when that ends, and ends both. */
import { readFileSync } from 'node:fs';
import { TopoBenchError } from '@topo-bench/core';
import { type ChildEnd, describeEnd, killGroup, PendingAnswer, SupervisedChild } from '@topo-bench/host';
import { guardScript } from './guard-script.ts';

export interface GuardedCommand {
  command: string;
  args: readonly string[];
  /** User and group to run as; left out: ours. */
  uid?: number;
  gid?: number;
  /** File that gets its output. */
  log: string;
  /** Signal that asks it to end; default SIGTERM, and SIGKILL when it does not. */
  stopSignal?: NodeJS.Signals;
  /** Signal that asks it to end and keep its data; default SIGTERM. */
  restartSignal?: NodeJS.Signals;
}

type Answer = { exit: ChildEnd } | { pid: number } | { ended: ChildEnd };

const linesShown = 10;

export class Guard {
  readonly #child: SupervisedChild;
  readonly #answer = new PendingAnswer<Answer>();
  #serving: { name: string; log: string; pid: number; restartSignal: NodeJS.Signals } | undefined;
  #stopping = false;
  /** Called when the server ends by itself. */
  onDeath: ((error: TopoBenchError) => void) | undefined;

  /** @param folder of everything that the server writes; removed with the guard */
  constructor(readonly folder: string) {
    const { NODE_OPTIONS: _, ...env } = process.env;
    this.#child = new SupervisedChild({
      command: process.execPath,
      args: ['-e', guardScript, JSON.stringify({ folder })],
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
      // Ctrl-C does not reach it: its parent decides when it ends.
      ownGroup: true,
      onLine: (line) => this.#hear(JSON.parse(line) as Answer),
      onDeath: ({ error }) => this.#die(error?.message ?? 'its guard ended'),
    });
  }

  /**
   * Runs a command to its end.
   * @throws TopoBenchError `TB_STORE_SERVER_FAILED` with the last lines of its output
   */
  async run(name: string, command: GuardedCommand): Promise<void> {
    const answer = await this.#ask({ run: withEnvironment(command) });
    if ('exit' in answer && answer.exit.exitCode === 0) return;
    throw failed(name, 'exit' in answer ? answer.exit : undefined, command.log);
  }

  /** Starts the server. @returns its process id */
  async serve(name: string, command: GuardedCommand): Promise<number> {
    const answer = await this.#ask({ serve: withEnvironment(command) });
    if (!('pid' in answer)) throw failed(name, 'ended' in answer ? answer.ended : undefined, command.log);
    this.#serving = { name, log: command.log, pid: answer.pid, restartSignal: command.restartSignal ?? 'SIGTERM' };
    return answer.pid;
  }

  /** Ends the server and keeps its folder, so that it can serve again. */
  async end(): Promise<void> {
    const serving = this.#serving;
    if (!serving) return;
    // Ended as asked: no death.
    this.#serving = undefined;
    await this.#ask({ end: serving.restartSignal });
  }

  /** Ends server and guard and removes the folder; may be called again. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#child.closeInput();
    this.#answer.fail(this.#failure('its guard ended'));
  }

  #ask(message: unknown): Promise<Answer> {
    return this.#answer.ask(() => this.#child.writeLine(message));
  }

  #hear(answer: Answer): void {
    const serving = this.#serving;
    if (this.#answer.settle(answer) || !('ended' in answer) || !serving || this.#stopping) return;
    this.onDeath?.(failed(serving.name, answer.ended, serving.log));
  }

  /** A guard that was killed cannot end its server. */
  #die(how: string): void {
    const error = this.#failure(how);
    this.#answer.fail(error);
    if (!this.#serving) return;
    killGroup(this.#serving.pid);
    this.onDeath?.(error);
  }

  #failure(how: string): TopoBenchError {
    return new TopoBenchError('TB_STORE_SERVER_FAILED', `${this.#serving?.name ?? 'the server of a store'}: ${how}`);
  }
}

function withEnvironment(command: GuardedCommand): unknown {
  // The user's locale and settings for clients must not reach the server: they would change sort orders and defaults.
  return { ...command, env: { PATH: process.env.PATH ?? '', TZ: 'UTC', LC_ALL: 'C' } };
}

function failed(name: string, end: ChildEnd | undefined, log: string): TopoBenchError {
  const how = end?.error?.message ?? describeEnd(end ?? { exitCode: null, signal: null });
  const lines = lastLines(log).map((line) => `\n  | ${line}`);
  return new TopoBenchError('TB_STORE_SERVER_FAILED', `${name} ${how}${lines.join('')}`);
}

function lastLines(log: string): string[] {
  try {
    return readFileSync(log, 'utf8').split('\n').filter(Boolean).slice(-linesShown);
  } catch {
    return [];
  }
}
