/**
 * A role as the child of this process, for containers that are reached by no other way. Killing a pod starts another
 * one, and the first process of a container takes no SIGSTOP from its own namespace. This process is the first one: it
 * kills, starts, stops and continues the role when the runner asks for it, and ends with a role that ends by itself.
 */
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChangedRules, headers, type RoleConfig, type RoleSecrets } from '@topo-bench/core';
import { describeEnd, type OwnUsage, readProcessUsage, SupervisedChild } from '@topo-bench/host';
import type { Route } from '../http/http-port.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { startServer } from '../http/node/server.ts';
import { tokenGuard } from '../http/token-guard.ts';

/** Changed rules may be thousands. */
const bodyLimitBytes = 64 * 1024 * 1024;
/** Exit code after SIGKILL. */
const killed = 128 + 9;

/** Use of a process until it was killed; empty where the system does not report it. */
type Use = Pick<OwnUsage, 'process'>;

export interface KeeperOptions {
  /** Port of its own server. */
  port: number;
  /** Paths of the documents, by flag. */
  files: Readonly<Record<string, string>>;
  /** Called when the role ends unplanned. */
  ended(reason: string, exitCode: number): void;
}

/** @returns the keeper of a role that is ready. @throws Error when the role ends before */
export async function keepRole(config: RoleConfig, secrets: RoleSecrets, options: KeeperOptions): Promise<Keeper> {
  const keeper = new Keeper(config, options);
  const { controlPort: _, ...address } = config.listen;
  const routes = [keeper.route(secrets.controlToken)];
  await Promise.all([startServer({ ...address, port: options.port, routes }), keeper.start()]);
  return keeper;
}

export class Keeper {
  readonly #config: RoleConfig;
  readonly #options: KeeperOptions;
  #child: SupervisedChild | undefined;

  constructor(config: RoleConfig, options: KeeperOptions) {
    this.#config = config;
    this.#options = options;
  }

  /** `POST /control/process/<change>`; a restart may have changed rules. */
  route(controlToken: string): Route {
    const changes: Record<string, (rules?: ChangedRules) => Promise<Use | undefined>> = {
      kill: () => this.#kill(),
      restart: (rules) => this.start(rules),
      freeze: async () => void (await this.#running.pause()),
      thaw: async () => void this.#running.resume(),
    };
    return {
      ...{ method: 'POST', path: '/control/process/:id', bodyLimitBytes },
      refuse: tokenGuard(headers.control, controlToken),
      handle: async (call) => {
        const change = Object.hasOwn(changes, call.parameter) ? changes[call.parameter] : undefined;
        if (!change) throw new HttpProblem(404, 'unknown-change', 'expected kill, restart, freeze or thaw');
        const { rules } = (call.body ?? {}) as { rules?: ChangedRules };
        call.answer(200, JSON.stringify((await change(rules)) ?? {}));
      },
    };
  }

  /** Starts the role, and resolves when it is ready. */
  async start(rules?: ChangedRules): Promise<undefined> {
    if (this.#child) throw new HttpProblem(409, 'running', `${this.#config.name} is running`);
    const files = { ...this.#options.files, ...(rules && { '--config': this.#changedConfig(rules) }) };
    await new Promise<void>((resolve, reject) => {
      this.#child = new SupervisedChild({
        command: process.execPath,
        args: [...process.execArgv, process.argv[1] as string, ...Object.entries(files).flat()],
        stdio: ['ignore', 'pipe', 'inherit'],
        killAtExit: true,
        onLine: (line) => {
          process.stdout.write(`${line}\n`);
          if (line === '{"ready":true}') resolve();
        },
        onDeath: (end) => {
          const reason = `its process ${describeEnd(end)}`;
          reject(new Error(reason));
          this.#options.ended(reason, end.exitCode || killed);
        },
      });
    });
  }

  async close(graceMs: number): Promise<void> {
    // A process that is stopped takes no other signal.
    this.#child?.resume();
    await this.#child?.stop(graceMs);
  }

  /** As a crash would: no connection is closed in order. */
  async #kill(): Promise<Use> {
    const child = this.#running;
    const used = readProcessUsage(child.pid as number);
    child.kill();
    await child.exited;
    this.#child = undefined;
    return { ...(used && { process: used }) };
  }

  get #running(): SupervisedChild {
    if (!this.#child) throw new HttpProblem(409, 'down', `${this.#config.name} is down`);
    return this.#child;
  }

  /** The folder of the documents is read-only. */
  #changedConfig(rules: ChangedRules): string {
    const file = join(tmpdir(), `${this.#config.name}.config.json`);
    writeFileSync(file, JSON.stringify({ ...this.#config, ...rules }), { mode: 0o600 });
    return file;
  }
}
