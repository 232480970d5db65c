/** A container of a run: created, started, monitored and removed. Its output is copied to the log of its role. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Engine, engineFailure, isGone, isUnanswered, withinDeadline } from '@topo-bench/containers';
import type { TopoBenchError } from '@topo-bench/core';
import type { RolePlan } from '@topo-bench/deployment';
import type { Container, ContainerCreateOptions, ContainerInspectInfo } from 'dockerode';
import type { RoleLog } from '../role-log.ts';
import { ContainerLog } from './container-log.ts';
import { died, lost } from './role-failure.ts';

/** An engine that restarts answers again within this time. */
const engineReturnsWithinMs = 30_000;
const pauseMs = 500;
/** The engine reports the end of a container just after the end of its log. */
const statusAfterLogMs = 1000;
/** Exit code after SIGKILL. */
const killed = 128 + 9;

export class WatchedContainer {
  /** Cause of an end before `remove`; undefined while it runs. */
  death: TopoBenchError | undefined;
  /** Called once, when it ends before `remove`. */
  onDeath: ((error: TopoBenchError) => void) | undefined;
  /** CPU time of its processes before planned crashes; 0 where this host cannot read it. */
  endedCpuUs = 0;
  /** Whether it runs an image of the user. */
  protected readonly isOfUser: boolean = false;
  readonly #engine: Engine;
  readonly #role: string;
  readonly #limits: RolePlan['limits'];
  #name = '';
  #id: string | undefined;
  #info: ContainerInspectInfo | undefined;
  #copying: ContainerLog | undefined;
  #starting: Promise<void> | undefined;
  #stopping = false;
  #paused = false;
  /** Killed by plan, and not started again. */
  #down = false;
  #watching: Promise<void> = Promise.resolve();

  /** @param limits of the container, for the cause of its death */
  constructor(
    engine: Engine,
    role: string,
    readonly log: RoleLog,
    limits: RolePlan['limits'],
  ) {
    this.#engine = engine;
    this.#role = role;
    this.#limits = limits;
  }

  /** State of the container just after its start. */
  get info(): ContainerInspectInfo {
    if (!this.#info) throw new Error(`the container ${this.#name} of ${this.#role} has not started`);
    return this.#info;
  }

  get isDown(): boolean {
    return this.#down;
  }

  /** Kills it as a crash would, and resolves when it has ended. `onDeath` is not called. */
  async kill(): Promise<void> {
    this.#down = true;
    await this.#do('kill', (container, abortSignal) => container.kill({ abortSignal }));
    await this.#watching;
  }

  /**
   * Starts it again after `kill`.
   * @param prepare changes its files before. Default: they stay the same
   */
  async startAgain(prepare?: (container: Container) => Promise<void>): Promise<void> {
    if (this.#stopping) return;
    const sinceMs = Date.now();
    this.#starting = this.#do('start', async (container, abortSignal) => {
      await prepare?.(container);
      await container.start({ abortSignal });
      this.#down = false;
      await this.#copyLog(container.id, { sinceMs });
      this.#watching = this.#watch(container);
      this.#info = await container.inspect({ abortSignal });
    });
    await this.#starting;
    if (this.death) throw this.death;
  }

  /** Stops all its processes; their sockets stay open. */
  async pause(): Promise<void> {
    await this.#do('pause', (container, abortSignal) => container.pause({ abortSignal }));
    this.#paused = true;
  }

  async unpause(): Promise<void> {
    await this.#do('unpause', (container, abortSignal) => container.unpause({ abortSignal }));
    this.#paused = false;
  }

  /** @param verb what the engine does to the container */
  async #do(verb: string, work: (container: Container, abortSignal: AbortSignal) => Promise<unknown>): Promise<void> {
    const container = this.#engine.client.getContainer(this.#id ?? this.#name);
    try {
      await this.#answered(verb, (abortSignal) => work(container, abortSignal));
    } catch (error) {
      throw this.death ?? engineFailure(`${verb} the container ${this.#name} of ${this.#role}`, error);
    }
  }

  /** Ends and removes the container with its volumes. May be called again. */
  async remove(graceS: number): Promise<void> {
    this.#stopping = true;
    // The engine finishes a request that it has begun: a container that it creates now would be left behind.
    await this.#starting?.catch(() => undefined);
    if (this.#id === undefined) return;
    const container = this.#engine.client.getContainer(this.#id);
    // A container that is paused takes no signal.
    if (this.#paused) await this.unpause().catch(() => undefined);
    // A container that has ended cannot be stopped; one that cannot be stopped is removed all the same.
    if (!this.death && !this.#down)
      await this.#answered('stop', (abortSignal) => container.stop({ t: graceS, abortSignal })).catch(() => undefined);
    await this.#copying?.end();
    const removed = this.#answered('remove', (abortSignal) => container.remove({ force: true, v: true, abortSignal }));
    await removed.catch((error: unknown) => {
      if (!isGone(error)) throw engineFailure(`remove the container ${this.#name}`, error);
    });
  }

  /** @param prepare called between creation and start */
  protected run(
    options: ContainerCreateOptions,
    prepare: (container: Container) => Promise<unknown> = async () => undefined,
  ): Promise<void> {
    this.#name = options.name ?? '';
    this.#starting = this.#start(options, prepare);
    return this.#starting;
  }

  async #start(options: ContainerCreateOptions, prepare: (container: Container) => Promise<unknown>): Promise<void> {
    // Its user-supplied service may have started while the deployment was aborted.
    if (this.#stopping) return;
    try {
      // Known by its name until it has an id: the engine may create it after the deadline.
      this.#id = this.#name;
      const container = await this.#answered('create', (abortSignal) =>
        this.#engine.client.createContainer({ ...options, abortSignal }),
      );
      this.#id = container.id;
      if (this.#stopping) return;
      await prepare(container);
      await this.#answered('start', (abortSignal) => container.start({ abortSignal }));
      await this.#copyLog(container.id);
      const ended = this.#watch(container);
      this.#watching = ended;
      this.#info = await this.#answered('inspect', (abortSignal) => container.inspect({ abortSignal }));
      // It has no addresses any more.
      if (!this.#info.State.Running) await ended;
      if (this.death) throw this.death;
    } catch (error) {
      throw this.death ?? engineFailure(`start the container ${this.#name} of ${this.#role}`, error);
    }
  }

  /** @param verb what the engine does to the container */
  #answered<Answer>(verb: string, request: (abortSignal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    return withinDeadline(`${verb} the container ${this.#name}`, request);
  }

  /**
   * Resolves when it has ended or can no longer be monitored, and never rejects. A connection that breaks is replaced:
   * the container runs on, also while its engine restarts.
   */
  async #watch(container: Container): Promise<void> {
    for (;;) {
      const exitCode = await this.#ended(container);
      if (this.#endsByPlan) return;
      const found = await this.#state(container);
      if (this.#endsByPlan) return;
      if (found instanceof Error) return this.#die(lost(this.#role, found));
      if (exitCode === undefined && found?.Running) {
        await this.#copyLog(container.id, { sinceMs: Date.now() }).catch(() => undefined);
        continue;
      }
      await this.#copying?.end();
      if (this.#endsByPlan) return;
      const { OOMKilled: outOfMemory = false, Error: error, ExitCode = killed } = found ?? {};
      const memoryLimitBytes = this.#limits?.memoryBytes;
      const end = { exitCode: exitCode ?? ExitCode, outOfMemory, error, memoryLimitBytes };
      return this.#die(died(this.#role, end, this.log, this.isOfUser));
    }
  }

  /**
   * Its exit code, or undefined when the connection broke. The client reports no broken connection of a wait; the log,
   * which ends with the container, shows it.
   */
  async #ended(container: Container): Promise<number | undefined> {
    // Ends what loses the race: a request without an answer, or a timer that would keep this process running.
    const over = new AbortController();
    const { signal } = over;
    const waited = container.wait({ abortSignal: signal }).then(
      ({ StatusCode }: { StatusCode: number }) => StatusCode,
      () => undefined,
    );
    const logEnded = this.#copying?.ended.then(async () => {
      await sleep(statusAfterLogMs, undefined, { signal }).catch(() => undefined);
      return undefined;
    });
    try {
      return await Promise.race(logEnded ? [waited, logEnded] : [waited]);
    } finally {
      over.abort();
    }
  }

  /** Undefined for a container that is gone; the last error when the engine gives no answer. */
  async #state(container: Container): Promise<ContainerInspectInfo['State'] | Error | undefined> {
    const work = `inspect the container ${this.#name}`;
    try {
      return await whileUnanswered(async () => {
        const inspected = withinDeadline(work, (abortSignal) => container.inspect({ abortSignal }));
        const { State } = await inspected.catch((error: unknown) => {
          throw engineFailure(work, error);
        });
        return State;
      });
    } catch (error) {
      return isUnanswered(error) ? ((error as Error).cause as Error) : undefined;
    }
  }

  async #copyLog(id: string, from: { sinceMs?: number } = {}): Promise<void> {
    this.#copying = await ContainerLog.follow(this.#engine, id, this.log, from);
  }

  get #endsByPlan(): boolean {
    return this.#stopping || this.#down;
  }

  #die(error: TopoBenchError): void {
    this.death = error;
    this.onDeath?.(error);
  }
}

/**
 * Repeats work on an engine that gives no answer: it may be restarting. The time counts from the first failure, which
 * can be a missed deadline, so that the work is always tried again.
 * @throws the last error
 */
export async function whileUnanswered<Result>(work: () => Promise<Result>): Promise<Result> {
  let giveUpAt: number | undefined;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      giveUpAt ??= performance.now() + engineReturnsWithinMs;
      if (!isUnanswered(error) || performance.now() > giveUpAt) throw error;
      await sleep(pauseMs);
    }
  }
}
