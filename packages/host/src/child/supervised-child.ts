/**
 * A supervised child process: its messages, its last lines of standard error, its exit, and a stop that is certain. A
 * cooperating child exits when its standard input or its IPC channel closes, however its parent ended.
 */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { readProcessStat } from '../process/process-stat.ts';
import { GroupGuard } from './group-guard.ts';

export interface ChildOptions extends Pick<SpawnOptions, 'cwd' | 'env' | 'serialization' | 'shell' | 'stdio'> {
  command: string;
  args?: readonly string[];
  /**
   * Leader of a process group and session of its own: signals reach its descendants too, and the terminal's Ctrl-C does
   * not reach it.
   */
  ownGroup?: boolean;
  /**
   * For a child that ignores its lifelines: it is killed when this process exits. With `ownGroup` its group is killed
   * also when this process is killed, on POSIX systems.
   */
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

/** States of a process that is neither stopped nor ended, as in proc_pid_stat(5). */
const running: ReadonlySet<string> = new Set(['R', 'S', 'D']);

export class SupervisedChild {
  /** Resolves at its exit. */
  readonly exited: Promise<ChildEnd>;
  readonly #process: ChildProcess;
  readonly #ownGroup: boolean;
  #end: ChildEnd | undefined;
  #stopping = false;
  readonly #errorsRead: Promise<void>;
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
    const guard = killAtExit && ownGroup && process.platform !== 'win32' ? new GroupGuard() : undefined;
    let child: ChildProcess;
    try {
      child = spawn(command, args, { ...options, detached: ownGroup, windowsHide: true });
    } catch (error) {
      guard?.release();
      throw error;
    }
    this.#process = child;
    if (child.pid !== undefined) guard?.watch(child.pid);
    const kill = (): void => this.kill();
    if (killAtExit) process.once('exit', kill);
    this.exited = new Promise((resolve) => {
      const end = (how: ChildEnd): void => {
        // A leader may end before the rest of its group. Its number may then be reused, so the group is killed at once.
        if (ownGroup) this.#signal('SIGKILL');
        this.#end = how;
        guard?.release();
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
    const errors = child.stderr;
    this.#errorsRead = new Promise((resolve) => (errors ? errors.once('close', () => resolve()) : resolve()));
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

  /**
   * Its exit, once the rest of its standard error has been read into `errorLines`. A descendant outside its group may
   * keep the pipe open: after that time the lines so far count.
   */
  async exitedWithErrors(withinMs = 1000): Promise<ChildEnd> {
    const end = await this.exited;
    const read = new AbortController();
    await Promise.race([this.#errorsRead, sleep(withinMs, undefined, read).catch(() => {})]);
    read.abort();
    return end;
  }

  /** Its piped standard output, which nothing reads without `onLine`. A slow reader slows the child down. */
  get output(): Readable | undefined {
    return this.#process.stdout ?? undefined;
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

  /**
   * Stops it and its group until `resume`, and resolves when it has stopped; pipes and sockets stay open. Not on
   * Windows.
   */
  async pause(): Promise<void> {
    this.#signal('SIGSTOP');
    // The signal takes effect when the threads of the process are next scheduled.
    while (running.has(readProcessStat(this.pid as number)?.state ?? '')) await sleep(1);
  }

  resume(): void {
    this.#signal('SIGCONT');
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

/**
 * Splits text chunks into lines.
 * @returns accepts the next chunk and calls `onLine` with each completed line, without its end
 */
function lineReader(onLine: (line: string) => void): (text: string) => void {
  let rest = '';
  return (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() as string;
    for (const line of lines) onLine(line);
  };
}
