/**
 * Our end of a server's guard: starts it, has it run commands and the server, reports the server's exit, and ends both.
 */
import { readFileSync } from 'node:fs';
import { reportsFullDisk, TopoBenchError } from '@topo-bench/core';
import { type ChildEnd, describeEnd, killGroup, PendingAnswer, SupervisedChild } from '@topo-bench/host';
import { waysToSpace } from '../store-error.ts';
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

type Answer = { exit: ChildEnd } | { pid: number } | { ended: ChildEnd } | { stopped: true };

const linesShown = 10;
/** Creating a data folder takes seconds, and a minute on a busy machine with a slow disk. */
const runDeadlineMs = 180_000;

export class Guard {
  readonly #child: SupervisedChild;
  readonly #answer = new PendingAnswer<Answer>();
  #serving: { name: string; log: string; pid: number | undefined; restartSignal: NodeJS.Signals } | undefined;
  #stopping = false;
  /** Called when the server exits by itself, possibly before `serve` resolves. */
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
   * Runs a command until it exits. After the deadline, the guard ends with the command, and runs no other.
   * @throws TopoBenchError `TB_STORE_SERVER_FAILED`, or `TB_STORE_DISK_FULL`, with the last lines of its output
   */
  async run(name: string, command: GuardedCommand, deadlineMs = runDeadlineMs): Promise<void> {
    let late: NodeJS.Timeout | undefined;
    const deadline = new Promise<'late'>((resolve) => {
      late = setTimeout(() => resolve('late'), deadlineMs);
    });
    const exited = this.#request({ run: withEnvironment(command) });
    try {
      const answer = await Promise.race([exited, deadline]);
      if (answer === 'late') {
        exited.catch(() => undefined);
        const error = new Error(`was still running after ${deadlineMs / 1e3} s`);
        const failure = failed(name, { exitCode: null, signal: null, error }, command.log);
        await this.stop();
        throw failure;
      }
      if ('exit' in answer && answer.exit.exitCode === 0) return;
      throw failed(name, 'exit' in answer ? answer.exit : undefined, command.log);
    } finally {
      clearTimeout(late);
    }
  }

  /** Starts the server. @returns its process id */
  async serve(name: string, command: GuardedCommand): Promise<number> {
    // Set in advance: its end may arrive together with its process id.
    const { log, restartSignal = 'SIGTERM' } = command;
    const serving = { name, log, pid: undefined as number | undefined, restartSignal };
    this.#serving = serving;
    const answer = await this.#request({ serve: withEnvironment(command) });
    if ('pid' in answer) {
      serving.pid = answer.pid;
      return answer.pid;
    }
    this.#serving = undefined;
    throw failed(name, 'ended' in answer ? answer.ended : undefined, log);
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
    // Its end was requested. It is no answer: the server may have ended before the guard read the request.
    if ('ended' in answer && !serving) return;
    if (this.#answer.settle(answer) || !('ended' in answer) || !serving || this.#stopping) return;
    this.onDeath?.(failed(serving.name, answer.ended, serving.log));
  }

  /** A killed guard cannot end its server. */
  #onGuardExit(how: string): void {
    const error = this.#failure(how);
    this.#answer.fail(error);
    if (!this.#serving) return;
    if (this.#serving.pid !== undefined) killGroup(this.#serving.pid);
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
  const message = `${name} ${how}${lines.join('')}`;
  if (reportsFullDisk({ message }))
    return new TopoBenchError('TB_STORE_DISK_FULL', message, { hint: waysToSpace.embedded });
  return new TopoBenchError('TB_STORE_SERVER_FAILED', message);
}

/** @returns none of a file that cannot be read */
export function lastLines(log: string, count = linesShown): string[] {
  try {
    return readFileSync(log, 'utf8').split('\n').filter(Boolean).slice(-count);
  } catch {
    return [];
  }
}
