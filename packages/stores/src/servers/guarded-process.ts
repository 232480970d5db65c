/** Our side of a server's guard: starts it, has it run commands and the server, hears when that ends, and ends both. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { TopoBenchError } from '@topo-bench/core';
import { guardScript } from './guard-script.ts';

export interface GuardedCommand {
  command: string;
  args: readonly string[];
  /** User and group to run as; left out: ours. */
  uid?: number;
  gid?: number;
  /** File that gets what it prints. */
  log: string;
  /** How it is asked to end; default SIGTERM, and SIGKILL when it does not. */
  stopSignal?: NodeJS.Signals;
  /** How it is asked to end when its data is to stay; default SIGTERM. */
  restartSignal?: NodeJS.Signals;
}

interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  error?: string;
}

type Answer = { exit: Ended } | { pid: number } | { ended: Ended };

const linesShown = 10;

export class Guard {
  readonly #process: ChildProcess;
  readonly #exited: Promise<void>;
  #rest = '';
  #waiter: { resolve(answer: Answer): void; reject(error: Error): void } | undefined;
  #serving: { name: string; log: string; pid: number; restartSignal: NodeJS.Signals } | undefined;
  #stopping = false;
  /** Called when the server ends without having been asked to. */
  onDeath: ((error: TopoBenchError) => void) | undefined;

  /** @param folder holds everything of the server; gone when the guard is */
  constructor(readonly folder: string) {
    const { NODE_OPTIONS: _, ...env } = process.env;
    const args = ['-e', guardScript, JSON.stringify({ folder })];
    // In a session of its own it does not get the terminal's Ctrl-C: who started it decides when it ends.
    this.#process = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'], detached: true, windowsHide: true, env });
    this.#exited = new Promise((resolve) => {
      this.#process.once('exit', () => {
        this.#gone('its guard ended');
        resolve();
      });
      this.#process.once('error', (error) => {
        this.#gone(error.message);
        resolve();
      });
    });
    this.#process.stdin?.on('error', () => {});
    this.#process.stdout?.setEncoding('utf8').on('data', (text: string) => this.#read(text));
  }

  /**
   * Runs a command to its end.
   * @throws TopoBenchError `TB_STORE_SERVER_FAILED` with the last lines that it printed
   */
  async run(name: string, command: GuardedCommand): Promise<void> {
    const answer = await this.#ask({ run: withEnvironment(command) });
    if ('exit' in answer && answer.exit.code === 0) return;
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
    this.#process.stdin?.end();
    await this.#exited;
  }

  #ask(message: unknown): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject };
      this.#process.stdin?.write(`${JSON.stringify(message)}\n`);
    });
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() as string;
    for (const line of lines) this.#hear(JSON.parse(line) as Answer);
  }

  #hear(answer: Answer): void {
    const { waiter, serving } = { waiter: this.#waiter, serving: this.#serving };
    this.#waiter = undefined;
    waiter?.resolve(answer);
    if (!waiter && 'ended' in answer && serving && !this.#stopping)
      this.onDeath?.(failed(serving.name, answer.ended, serving.log));
  }

  /** A guard that was killed cannot end its server: then we do. */
  #gone(how: string): void {
    const serving = this.#serving;
    const error = new TopoBenchError('TB_STORE_SERVER_FAILED', `${serving?.name ?? 'the server of a store'}: ${how}`);
    this.#waiter?.reject(error);
    if (this.#stopping || !serving) return;
    try {
      process.kill(serving.pid, 'SIGKILL');
    } catch {}
    this.onDeath?.(error);
  }
}

function withEnvironment(command: GuardedCommand): unknown {
  // The user's locale and settings for clients must not reach the server: they would change sort orders and defaults.
  return { ...command, env: { PATH: process.env.PATH ?? '', TZ: 'UTC', LC_ALL: 'C' } };
}

function failed(name: string, ended: Ended | undefined, log: string): TopoBenchError {
  const how = ended?.error ?? (ended?.signal ? `was ended by ${ended.signal}` : `ended with exit code ${ended?.code}`);
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
