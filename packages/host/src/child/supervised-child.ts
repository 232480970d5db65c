/**
 * A supervised child process: its messages, its last lines of standard error, its exit, and a stop that is certain. A
 * cooperating child exits when its standard input or its IPC channel closes, however its parent ended.
 */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { lineReader } from './line-reader.ts';

export interface ChildOptions extends Pick<SpawnOptions, 'cwd' | 'env' | 'serialization' | 'shell' | 'stdio'> {
  command: string;
  args?: readonly string[];
  /**
   * Leader of a process group and session of its own: signals reach its descendants too, and the terminal's Ctrl-C does
   * not reach it.
   */
  ownGroup?: boolean;
  /** For a child that ignores its lifelines: this process kills it on its own exit. */
  killAtExit?: boolean;
  /** Called with each line of a piped standard output. */
  onLine?: (line: string) => void;
  /** Called with each message of an IPC channel. */
  onMessage?: (message: never) => void;
  /** Called once when it ends before `stop`, or fails to start. */
  onDeath?: (end: ChildEnd) => void;
}

/** Exit of a child. */
export interface ChildEnd {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** Why it failed to start. */
  error?: NodeJS.ErrnoException;
}

/** The exit as the predicate of a sentence. */
export function describeEnd({ exitCode, signal, error }: ChildEnd): string {
  if (error) return `cannot be started: ${error.message}`;
  return signal ? `was ended by ${signal}` : `ended with exit code ${exitCode}`;
}

const maxErrorLines = 20;

export class SupervisedChild {
  /** Resolves at its exit. */
  readonly exited: Promise<ChildEnd>;
  readonly #process: ChildProcess;
  readonly #ownGroup: boolean;
  #end: ChildEnd | undefined;
  #stopping = false;
  #errorLines: string[] = [];

  /** @throws Error of the system, when the start fails synchronously */
  constructor({
    command,
    args = [],
    ownGroup = false,
    killAtExit,
    onLine,
    onMessage,
    onDeath,
    ...options
  }: ChildOptions) {
    this.#ownGroup = ownGroup;
    const child = spawn(command, args, { ...options, detached: ownGroup, windowsHide: true });
    this.#process = child;
    const kill = (): void => this.kill();
    if (killAtExit) process.once('exit', kill);
    this.exited = new Promise((resolve) => {
      const end = (how: ChildEnd): void => {
        // A leader may end before the rest of its group. Its number may then be reused, so the group is killed at once.
        if (ownGroup) this.#signal('SIGKILL');
        this.#end = how;
        process.removeListener('exit', kill);
        if (!this.#stopping) onDeath?.(how);
        resolve(how);
      };
      child.once('exit', (exitCode, signal) => end({ exitCode, signal }));
      child.on('error', (error) => {
        // Later errors (undelivered signals or messages) are explained by the exit.
        if (child.pid === undefined && !this.#end) end({ exitCode: null, signal: null, error });
      });
    });
    // Streams are missing when the system is out of descriptors. An exit during a write is reported as exit, not as a
    // write error.
    child.stdin?.on('error', () => {});
    if (onLine) child.stdout?.setEncoding('utf8').on('data', lineReader(onLine));
    if (onMessage) child.on('message', (message) => onMessage(message as never));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errorLines = [...this.#errorLines, ...text.trimEnd().split('\n')].slice(-maxErrorLines);
    });
  }

  /** Undefined when it failed to start. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Undefined while it runs. */
  get end(): ChildEnd | undefined {
    return this.#end;
  }

  /** Last lines of a piped standard error, oldest first. */
  get errorLines(): readonly string[] {
    return this.#errorLines;
  }

  /** Writes text to its standard input. */
  write(text: string): void {
    this.#process.stdin?.write(text);
  }

  /** Writes one line of JSON to its standard input. */
  writeLine(message: unknown): void {
    this.write(`${JSON.stringify(message)}\n`);
  }

  /** Sends a message over its IPC channel. An undelivered one is explained by the exit. */
  send(message: object): void {
    this.#process.send?.(message, () => {});
  }

  /** Closes its standard input: a cooperating child exits. Resolves at its exit. */
  async closeInput(): Promise<void> {
    this.#stopping = true;
    this.#process.stdin?.end();
    await this.exited;
  }

  /** Ends it: SIGTERM, then SIGKILL after `graceMs`. Resolves at its exit; may be called again. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    this.#signal('SIGTERM');
    const grace = new AbortController();
    const killed = sleep(graceMs, undefined, grace).then(
      () => this.#signal('SIGKILL'),
      () => {},
    );
    await this.exited;
    grace.abort();
    await killed;
  }

  /** Kills it at once. */
  kill(): void {
    this.#stopping = true;
    this.#signal('SIGKILL');
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#process;
    if (pid === undefined || this.#end) return;
    try {
      if (this.#ownGroup) process.kill(-pid, signal);
      else this.#process.kill(signal);
    } catch {
      // No process of the group is left, or the system has no groups.
      this.#process.kill(signal);
    }
  }
}
