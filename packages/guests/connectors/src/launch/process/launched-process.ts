/** One program as a child process. It ends with its standard input, and so never outlives this process. */
import { Readable } from 'node:stream';
import { describeEnd, readTreeUsage, SupervisedChild } from '@topo-bench/host';
import type { LaunchedProgram, LaunchMarks, ProgramEnd, ProgramUsage } from '../launcher.ts';
import { MeteredOutput } from '../metered-output.ts';

const graceMs = 1000;
const loopback = '127.0.0.1';

export interface ProcessStart {
  args: readonly string[];
  /** Descriptors that it inherits, from number 3 on. */
  descriptors: readonly number[];
  requestedMs: number;
}

export class LaunchedProcess implements LaunchedProgram {
  readonly marks: LaunchMarks;
  readonly output: MeteredOutput;
  readonly ended: Promise<ProgramEnd>;
  readonly hosts = { fromHere: loopback, fromPrograms: loopback };
  /** Resolves at the exit of the process. */
  readonly exited: Promise<unknown>;
  readonly #child: SupervisedChild;

  constructor({ args, descriptors, requestedMs }: ProcessStart) {
    this.#child = new SupervisedChild({
      command: process.execPath,
      args: [...args, '--until-input-ends'],
      stdio: ['pipe', 'pipe', 'pipe', ...descriptors],
      env: programEnvironment(),
      killAtExit: true,
    });
    this.marks = { requestedMs, startedMs: performance.now() };
    this.output = new MeteredOutput(this.#child.output ?? Readable.from([]), this.marks);
    this.exited = this.#child.exited;
    this.ended = this.#end();
  }

  begin(): void {
    this.#child.write('\n');
  }

  async usage(): Promise<ProgramUsage | undefined> {
    return this.#child.pid === undefined ? undefined : readTreeUsage([this.#child.pid]);
  }

  async stop(): Promise<void> {
    await this.#child.stop(graceMs);
    this.#child.output?.destroy();
    this.output.abandon();
  }

  async #end(): Promise<ProgramEnd> {
    const end = await this.#child.exited;
    this.marks.endedMs = performance.now();
    await this.output.consumed;
    await this.#child.exitedWithErrors();
    const { errorLines } = this.#child;
    return { exitCode: end.exitCode, description: describeEnd(end), errorLines, ...this.output.summary() };
  }
}

/** Credentials of stores come in a file. */
function programEnvironment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'TZ', 'LANG', 'LC_ALL', 'SystemRoot'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(kept);
}
