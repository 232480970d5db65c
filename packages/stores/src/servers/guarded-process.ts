/**
 * Our end of a server's guard: starts it, has it run commands and the server, reports the server's exit, and ends both.
 */
import { readFileSync } from 'node:fs';
import { TopoBenchError } from '@topo-bench/core';
import { type ChildEnd, describeEnd, killGroup, PendingAnswer, SupervisedChild } from '@topo-bench/host';
import { guardScript } from './guard-script.ts';

export interface GuardedCommand {
  command: string;
  args: readonly string[];
  /** User and group to run as; default: ours. */
  uid?: number;
  gid?: number;
  /** File for its output. */
  log: string;
  /** Signal to stop it; default SIGTERM. SIGKILL follows. */
  stopSignal?: NodeJS.Signals;
  /** Signal to stop it and keep its data; default SIGTERM. */
  restartSignal?: NodeJS.Signals;
}

type Answer = { exit: ChildEnd } | { pid: number } | { ended: ChildEnd };

const linesShown = 10;

export class Guard {
  readonly #child: SupervisedChild;
  readonly #answer = new PendingAnswer<Answer>();
  #serving: { name: string; log: string; pid: number; restartSignal: NodeJS.Signals } | undefined;
  #stopping = false;
  /** Called when the server exits by itself. */
  onDeath: ((error: TopoBenchError) => void) | undefined;

  /** @param folder of all files of the server; removed with the guard */
  constructor(readonly folder: string) {
    const { NODE_OPTIONS: _, ...env } = process.env;
    this.#child = new SupervisedChild({
      command: process.execPath,
      args: ['-e', guardScript, JSON.stringify({ folder })],
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
      // Ctrl-C does not reach it: its parent decides when it ends.
      ownGroup: true,
      onLine: (line) => this.#receive(JSON.parse(line) as Answer),
      onDeath: ({ error }) => this.#onGuardExit(error?.message ?? 'its guard exited'),
    });
  }

  /**
   * Runs a command until it exits.
   * @throws TopoBenchError `TB_STORE_SERVER_FAILED` with the last lines of its output
   */
  async run(name: string, command: GuardedCommand): Promise<void> {
    const answer = await this.#request({ run: withEnvironment(command) });
    if ('exit' in answer && answer.exit.exitCode === 0) return;
    throw failed(name, 'exit' in answer ? answer.exit : undefined, command.log);
  }

  /** Starts the server. @returns its process id */
  async serve(name: string, command: GuardedCommand): Promise<number> {
    const answer = await this.#request({ serve: withEnvironment(command) });
    if (!('pid' in answer)) throw failed(name, 'ended' in answer ? answer.ended : undefined, command.log);
    this.#serving = { name, log: command.log, pid: answer.pid, restartSignal: command.restartSignal ?? 'SIGTERM' };
    return answer.pid;
  }

  /** Ends the server and keeps its folder, so that it can serve again. */
  async end(): Promise<void> {
    const serving = this.#serving;
    if (!serving) return;
    // A requested end is not reported.
    this.#serving = undefined;
    await this.#request({ end: serving.restartSignal });
  }

  /** Ends server and guard and removes the folder; may be called again. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#child.closeInput();
    this.#answer.fail(this.#failure('its guard exited'));
  }

  #request(message: unknown): Promise<Answer> {
    return this.#answer.ask(() => this.#child.writeLine(message));
  }

  #receive(answer: Answer): void {
    const serving = this.#serving;
    if (this.#answer.settle(answer) || !('ended' in answer) || !serving || this.#stopping) return;
    this.onDeath?.(failed(serving.name, answer.ended, serving.log));
  }

  /** A killed guard cannot end its server. */
  #onGuardExit(how: string): void {
    const error = this.#failure(how);
    this.#answer.fail(error);
    if (!this.#serving) return;
    killGroup(this.#serving.pid);
    this.onDeath?.(error);
  }

  #failure(how: string): TopoBenchError {
    return new TopoBenchError('TB_STORE_SERVER_FAILED', `${this.#serving?.name ?? 'database server'}: ${how}`);
  }
}

function withEnvironment(command: GuardedCommand): unknown {
  // The user's locale and client settings must not reach the server: they would change sort orders and defaults.
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
