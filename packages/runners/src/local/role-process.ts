/**
 * One role as a child process: started, taken through the handshake of `@topo-bench/core/role-handshake`, monitored and
 * ended. Its standard input stays open as its lifeline: the role ends with it, even if this process crashes.
 */
import { closeSync } from 'node:fs';
import type { PeerUrls, RoleConfig, RoleDocuments, RoleFailed, RoleReady, TopoBenchError } from '@topo-bench/core';
import { type ChildEnd, GroupGuard, PendingAnswer, SupervisedChild } from '@topo-bench/host';
import { addToLog, openLog, type RoleLog } from '../role-log.ts';
import { brokenHandshake, cannotStart, died, failedToStart } from './role-failure.ts';

/**
 * Without this flag V8 collects all garbage 8 s after a busy period, on all its threads. The garbage of the warm-up
 * would then slow down measured requests (figures in docs/decisions/0034-cpu-per-request.md).
 */
const runtimeOptions = ['--no-memory-reducer'];

export interface RoleProcessOptions {
  nodeBinary: string;
  entry: string;
  logsDir: string;
  env: NodeJS.ProcessEnv;
}

export class RoleProcess {
  readonly log: RoleLog;
  /** Cause of an end before `stop`; undefined while it runs. */
  death: TopoBenchError | undefined;
  /** Called once, when it ends before `stop`. */
  onDeath: ((error: TopoBenchError) => void) | undefined;
  readonly #child: SupervisedChild;
  readonly #answer = new PendingAnswer<string>();
  /** Present while it is frozen: a stopped process does not see that its lifeline has ended. */
  #guard: GroupGuard | undefined;

  /** @throws TopoBenchError `TB_RUNNER_NO_RESOURCES`, `TB_RUNNER_CANNOT_START`, `TB_FILE_NOT_WRITABLE` */
  constructor(
    readonly documents: RoleDocuments,
    { nodeBinary, entry, logsDir, env }: RoleProcessOptions,
  ) {
    const { config } = documents;
    this.log = openLog(logsDir, config.name);
    try {
      this.#child = new SupervisedChild({
        command: nodeBinary,
        // Kind and framework select the code cache. The name is for process lists.
        args: [...runtimeOptions, entry, config.kind, config.framework, config.name],
        env,
        stdio: ['pipe', 'pipe', this.log.descriptor],
        // Ctrl-C does not reach it: the deployment is torn down in order instead.
        ownGroup: true,
        // Other output belongs in the log.
        onLine: (line) => this.#answer.settle(line) || addToLog(this.log, `${line}\n`),
        onDeath: (end) => this.#die(end, nodeBinary),
      });
    } catch (error) {
      throw cannotStart(config.name, nodeBinary, error as NodeJS.ErrnoException);
    } finally {
      closeSync(this.log.descriptor);
    }
  }

  get config(): RoleConfig {
    return this.documents.config;
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** Sends the role its documents. @param graph as JSON, since it is the same for all roles */
  async listening(graph: string): Promise<RoleReady> {
    const { config, secrets } = this.documents;
    const line = await this.#ask([JSON.stringify(config), JSON.stringify(secrets), graph]);
    const ready = parse(line) as Partial<RoleReady & RoleFailed> | undefined;
    if (ready?.failed) throw failedToStart(ready.failed, this.log);
    if (typeof ready?.url !== 'string') throw brokenHandshake(this.config.name, line, this.log);
    return ready as RoleReady;
  }

  /** Sends the addresses of the peers and waits for the acknowledgement of the role. */
  async ready(peers: PeerUrls): Promise<void> {
    const line = await this.#ask([JSON.stringify(peers)]);
    const answer = parse(line) as { ready?: boolean } | undefined;
    if (answer?.ready !== true) throw brokenHandshake(this.config.name, line, this.log);
  }

  /** Ends it: SIGTERM, then SIGKILL when it still runs after `graceMs`. Resolves when it has ended. */
  async stop(graceMs: number): Promise<void> {
    this.thaw();
    this.#answer.fail(new Error(`${this.config.name} was stopped`));
    await this.#child.stop(graceMs);
  }

  /** Kills it as a crash would: no connection is closed in order. `onDeath` is not called. */
  async kill(): Promise<void> {
    this.#answer.fail(new Error(`${this.config.name} was killed`));
    this.#child.kill();
    await this.#child.exited;
    this.#release();
  }

  /** Stops it; its sockets stay open. A guard kills it if this process ends before `thaw`. */
  async freeze(): Promise<void> {
    this.#guard = new GroupGuard();
    this.#guard.watch(this.pid);
    await this.#child.pause();
  }

  thaw(): void {
    if (this.#guard) this.#child.resume();
    this.#release();
  }

  #release(): void {
    this.#guard?.release();
    this.#guard = undefined;
  }

  #ask(lines: readonly string[]): Promise<string> {
    return this.#answer.ask(() => this.#child.write(lines.map((line) => `${line}\n`).join('')));
  }

  #die(end: ChildEnd, nodeBinary: string): void {
    const { name, userService } = this.config;
    const ownsService = userService?.kind === 'command';
    this.death = end.error ? cannotStart(name, nodeBinary, end.error) : died(name, end, this.log, ownsService);
    this.#answer.fail(this.death);
    this.#release();
    this.onDeath?.(this.death);
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
