/** The parent's side: starts the generator processes of a load, lets them begin at one instant, and joins what they recorded. */
import { type ChildProcess, fork } from 'node:child_process';
import { type ErrorCode, errorCodes, TopoBenchError } from '@topo-bench/core';
import type { DriverName } from '@topo-bench/core/schema/experiment';
import { giveRealTimePriority, hostClock, keepCoresAwake, type Wakefulness } from '@topo-bench/host';
import type { LoadObserver } from '../driver.ts';
import { checkLoadJob, type LoadJob } from '../load-job.ts';
import { joinShards, type LoadResult } from '../load-result.ts';
import type { FromGenerator, ShardResult, ToGenerator } from './messages.ts';
import { roomForGarbage } from './quiet-runtime.ts';
import { type WorkerScript, workerScript } from './worker-script.ts';

/** From "all are ready" to the start: enough for the message to reach a process on a busy host. */
const headStartUs = 100_000;
const stderrLinesKept = 20;

export interface GeneratorsOptions {
  driver: DriverName;
  job: LoadJob;
  processes: number;
  /** Path of a built worker script. */
  workerPath?: string | undefined;
  signal?: AbortSignal | undefined;
  observer?: LoadObserver | undefined;
}

/** Runs the load. Whatever happens, no generator process is left behind. */
export async function runGenerators({
  driver,
  job,
  processes,
  workerPath,
  signal,
  observer,
}: GeneratorsOptions): Promise<LoadResult> {
  checkLoadJob(job);
  signal?.throwIfAborted();
  const { path, execArgv } = workerScript(workerPath);
  // The others collect what others' code leaves behind, in the space that V8 gives them.
  const script = { path, execArgv: driver === 'open' ? [...execArgv, ...roomForGarbage] : execArgv };
  const generators = Array.from({ length: processes }, (_, part) => new Generator(script, part));
  const listening = new AbortController();
  const aborted = new Promise<never>((_, reject) =>
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true, signal: listening.signal }),
  );
  const timers: NodeJS.Timeout[] = [];
  let awake: Wakefulness | undefined;
  try {
    await Promise.race([aborted, Promise.all(generators.map((generator) => generator.prepare(driver, job, processes)))]);
    // A bulk transfer has no schedule to keep, and would keep the service from the processor.
    const inTime = driver !== 'flight';
    const prioritised = await Promise.all(generators.map((generator) => inTime && generator.prioritise()));
    awake = inTime && job.keepAwake ? await keepCoresAwake() : undefined;
    await observer?.onReady?.();
    signal?.throwIfAborted();
    const startAtUs = hostClock.nowUs() + headStartUs;
    const startedAt = new Date(Date.now() + headStartUs / 1e3);
    timers.push(setTimeout(() => observer?.onStart?.(), headStartUs / 1e3));
    const loadEnd = onlyOnce(() => observer?.onLoadEnd?.());
    timers.push(setTimeout(loadEnd, (headStartUs + job.durationUs) / 1e3));
    const drained = afterCalls(processes, () => observer?.onDrained?.());
    const shards = await Promise.race([aborted, Promise.all(generators.map((generator) => generator.start(startAtUs, drained)))]);
    loadEnd();
    const granted = { realTimePriority: prioritised.every(Boolean), coresKeptAwake: awake !== undefined };
    return joinShards(job, shards, { startedAt, startAtUs, granted });
  } finally {
    listening.abort();
    for (const timer of timers) clearTimeout(timer);
    await Promise.all([awake?.end(), ...generators.map((generator) => generator.end())]);
  }
}

/** The end of the load is told by the clock, or by the generators when they are faster. */
function onlyOnce(call: () => void): () => void {
  let called = false;
  return () => {
    if (!called) call();
    called = true;
  };
}

/** Calls when it has been called `times` times itself. */
function afterCalls(times: number, call: () => void): () => void {
  let left = times;
  return () => {
    if (--left === 0) call();
  };
}

class Generator {
  readonly #process: ChildProcess;
  readonly #part: number;
  readonly #exited: Promise<void>;
  #threads: number[] | undefined;
  #lastLines: string[] = [];
  #onDrained: (() => void) | undefined;
  #settle: { resolve: (message: FromGenerator) => void; reject: (error: Error) => void } | undefined;

  constructor({ path, execArgv }: WorkerScript, part: number) {
    this.#part = part;
    this.#process = fork(path, [], { execArgv, serialization: 'advanced', stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    this.#exited = new Promise((resolve) => {
      this.#process.once('exit', (code, killedBy) => {
        this.#settle?.reject(this.#died(killedBy ?? `exit code ${code}`));
        resolve();
      });
    });
    this.#process.once('error', (error) => this.#settle?.reject(this.#died(error.message)));
    this.#process.on('message', (message: FromGenerator) => {
      if (message.type === 'drained') this.#onDrained?.();
      else if (message.type === 'failed') this.#settle?.reject(failureOf(message));
      else this.#settle?.resolve(message);
    });
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastLines = [...this.#lastLines, ...text.trimEnd().split('\n')].slice(-stderrLinesKept);
    });
  }

  async prepare(driver: DriverName, job: LoadJob, parts: number): Promise<void> {
    const answer = await this.#ask({ type: 'prepare', driver, job, shard: { part: this.#part, parts } });
    if (answer.type === 'ready') this.#threads = answer.threads;
  }

  /** @returns whether the host allowed it */
  async prioritise(): Promise<boolean> {
    const { pid } = this.#process;
    return pid !== undefined && (await giveRealTimePriority(pid, this.#threads));
  }

  async start(startAtUs: number, onDrained: () => void): Promise<ShardResult> {
    this.#onDrained = onDrained;
    const answer = await this.#ask({ type: 'start', startAtUs });
    if (answer.type !== 'done') throw new TopoBenchError('TB_INTERNAL', `generator answered ${answer.type}, expected done`);
    return answer.result;
  }

  async end(): Promise<void> {
    this.#settle = undefined;
    if (this.#process.exitCode === null && this.#process.signalCode === null) this.#process.kill('SIGKILL');
    await this.#exited;
  }

  #ask(message: ToGenerator): Promise<FromGenerator> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      // A process that is already gone makes sending fail; its exit says more.
      this.#process.send(message, (error) => {
        if (error && !this.#process.connected) reject(this.#died(error.message));
      });
    });
  }

  #died(how: string): TopoBenchError {
    const lines = this.#lastLines.join('\n');
    return new TopoBenchError(
      'TB_LOAD_GENERATOR_DIED',
      `load generator process ${this.#part} ended: ${how}${lines && `\n${lines}`}`,
    );
  }
}

function failureOf({ code, message, hint, stack }: FromGenerator & { type: 'failed' }): Error {
  if (code !== undefined && code in errorCodes)
    return new TopoBenchError(code as ErrorCode, message, hint === undefined ? {} : { hint });
  return new TopoBenchError('TB_INTERNAL', `load generator: ${stack ?? message}`);
}
