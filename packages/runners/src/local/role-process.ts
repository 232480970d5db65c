/**
 * One role as a child process: started, taken through the handshake of `@topo-bench/core/role-config`, watched, ended.
 * Its standard input stays open as its lifeline: however this process ends, the role reads the end of it and ends too.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { TopoBenchError } from '@topo-bench/core';
import type { PeerUrls, RoleConfig, RoleFailed, RoleReady } from '@topo-bench/core/role-config';
import { addToLog, openLog, type RoleLog } from './logs.ts';
import { brokenHandshake, cannotStart, died, failedToStart } from './role-failure.ts';

/**
 * V8 would collect everything 8 s after a busy time, with all its threads: the garbage of the warm-up, at the expense of the requests that come then
 * (figures in docs/decisions/0034-cpu-per-request.md).
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
  /** Why it ended before `stop`; undefined while it lives. */
  death: TopoBenchError | undefined;
  /** Called once, when it ends before `stop`. */
  onDeath: ((error: TopoBenchError) => void) | undefined;
  private readonly child: ChildProcess;
  private readonly exited: Promise<unknown>;
  private stopping = false;
  private output = '';
  private waiter: { resolve(line: string): void; reject(error: Error): void } | undefined;

  /** @throws TopoBenchError `TB_RUNNER_NO_RESOURCES`, `TB_RUNNER_CANNOT_START`, `TB_FILE_NOT_WRITABLE` */
  constructor(
    readonly config: RoleConfig,
    { nodeBinary, entry, logsDir, env }: RoleProcessOptions,
  ) {
    this.log = openLog(logsDir, config.name);
    // Kind and framework choose the code cache; the name is for people who look at the list of processes. In a session of
    // its own the role does not get the terminal's Ctrl-C: the deployment is torn down in order instead.
    const args = [...runtimeOptions, entry, config.kind, config.framework, config.name];
    const stdio = ['pipe' as const, 'pipe' as const, this.log.descriptor];
    try {
      this.child = spawn(nodeBinary, args, { env, stdio, detached: true, windowsHide: true });
    } catch (error) {
      throw cannotStart(config.name, nodeBinary, error as NodeJS.ErrnoException);
    } finally {
      closeSync(this.log.descriptor);
    }
    this.exited = new Promise((resolve) => {
      this.child.once('exit', (code, signal) => {
        this.ended(() => died(config.name, code, signal, this.log));
        resolve(undefined);
      });
      this.child.once('error', (error) => {
        this.ended(() => cannotStart(config.name, nodeBinary, error));
        if (this.child.pid === undefined) resolve(undefined);
      });
    });
    // There are no streams when the system was out of descriptors: the error event says so. A role that ends while it is
    // written to is reported by its exit.
    this.child.stdin?.on('error', () => {});
    this.child.stdout?.setEncoding('utf8').on('data', (chunk: string) => this.read(chunk));
  }

  get pid(): number {
    return this.child.pid as number;
  }

  /** Hands over the config. @returns what the role says once it listens */
  async listening(): Promise<RoleReady> {
    const line = await this.exchange(this.config);
    const ready = parse(line) as Partial<RoleReady & RoleFailed> | undefined;
    if (ready?.failed) throw failedToStart(ready.failed, this.log);
    if (typeof ready?.url !== 'string') throw brokenHandshake(this.config.name, line, this.log);
    return ready as RoleReady;
  }

  /** Hands over the peers' addresses and waits until the role has taken them. */
  async ready(peers: PeerUrls): Promise<void> {
    const line = await this.exchange(peers);
    const answer = parse(line) as { ready?: boolean } | undefined;
    if (answer?.ready !== true) throw brokenHandshake(this.config.name, line, this.log);
  }

  /** Ends it: SIGTERM, and SIGKILL when it still lives after `graceMs`. Resolves once it is gone. */
  async stop(graceMs: number): Promise<void> {
    this.stopping = true;
    this.waiter?.reject(new Error(`${this.config.name} was stopped`));
    this.child.kill('SIGTERM');
    const kill = setTimeout(() => this.child.kill('SIGKILL'), graceMs);
    await this.exited;
    clearTimeout(kill);
  }

  private async exchange(message: unknown): Promise<string> {
    if (this.death) throw this.death;
    const answer = new Promise<string>((resolve, reject) => {
      this.waiter = { resolve, reject };
    });
    this.child.stdin?.write(`${JSON.stringify(message)}\n`);
    return answer;
  }

  /** The line that is waited for goes to its waiter; whatever else a role prints belongs in its log. */
  private read(chunk: string): void {
    this.output += chunk;
    const end = this.output.lastIndexOf('\n') + 1;
    if (end === 0) return;
    const [line, ...rest] = this.output.slice(0, end).split('\n');
    this.output = this.output.slice(end);
    const { waiter } = this;
    this.waiter = undefined;
    const log = (waiter ? rest : [line, ...rest]).join('\n');
    if (log) addToLog(this.log, log);
    waiter?.resolve(line as string);
  }

  private ended(reason: () => TopoBenchError): void {
    if (this.stopping || this.death) return;
    this.death = reason();
    this.waiter?.reject(this.death);
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
