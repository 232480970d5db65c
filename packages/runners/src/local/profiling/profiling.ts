/**
 * CPU profiles of all Node.js programs of a local deployment: the roles, and the processes that commands of the user
 * start. Each program loads `profiling-preload.cjs` and connects to a Unix socket in a folder of this user. No port is
 * opened, and programs that load no such module run as always.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeploymentProfile, MissingProfile, ProgramProfile, RoleConfig } from '@topo-bench/core';
import { ownScript } from '@topo-bench/host';
import type { Profiler } from '../../runner.ts';
import { Program } from './program.ts';

/** A role, and the id of its own process. */
export interface ProfiledRole {
  config: Pick<RoleConfig, 'name' | 'userService'>;
  pid: number;
}

export class Profiling {
  readonly #folder: string;
  readonly #server: Server;
  readonly #programs: Program[] = [];

  private constructor(folder: string) {
    this.#folder = folder;
    this.#server = createServer((socket) => this.#programs.push(new Program(socket)));
  }

  static async open(): Promise<Profiling> {
    // Only its owner can enter a folder of mkdtemp.
    const profiling = new Profiling(await mkdtemp(join(tmpdir(), 'topo-bench-profile-')));
    await new Promise<void>((resolve, reject) => {
      profiling.#server.once('error', reject).listen(profiling.#socketPath, resolve);
    });
    return profiling;
  }

  /** Variables of a role, which the processes that it starts inherit. */
  environment(role: string): Record<string, string> {
    const preload = ownScript('profiling-preload.cjs', new URL('profiling-preload.cjs', import.meta.url)).path;
    return {
      NODE_OPTIONS: `--require ${JSON.stringify(preload)}`,
      TOPO_BENCH_PROFILE_SOCKET: this.#socketPath,
      TOPO_BENCH_PROFILE_ROLE: role,
    };
  }

  /** @param roles of the deployment, as they are when the profile ends */
  profiler(roles: () => readonly ProfiledRole[]): Profiler {
    return {
      start: async () => {
        await Promise.allSettled(this.#programs.map((program) => program.start()));
      },
      stop: () => this.#stop(roles()),
    };
  }

  /** Threads of programs that have connected so far. */
  get connections(): number {
    return this.#programs.length;
  }

  async close(): Promise<void> {
    for (const program of this.#programs) program.close();
    await new Promise((resolve) => this.#server.close(resolve));
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #socketPath(): string {
    return join(this.#folder, 'socket');
  }

  async #stop(roles: readonly ProfiledRole[]): Promise<DeploymentProfile> {
    const profiles = await Promise.all(
      this.#programs.map(async (program) => {
        const profile = await program.stop().catch(() => undefined);
        return profile && program.greeting ? { ...program.greeting, ...profile } : undefined;
      }),
    );
    const found = profiles.filter((one) => one !== undefined);
    const programs = found.map(({ pid, role, folder, script, ...own }): ProgramProfile => {
      return { role, isRole: roles.some((one) => one.pid === pid), folder, script, ...own };
    });
    return { programs, missing: roles.flatMap((role) => missingOf(role, programs)) };
  }
}

function missingOf({ config: { name, userService } }: ProfiledRole, programs: readonly ProgramProfile[]) {
  const own = programs.filter(({ role }) => role === name);
  const missing: MissingProfile[] = [];
  if (!own.some(({ isRole }) => isRole)) missing.push({ role: name, why: 'its role gave no profile' });
  if (!userService || own.some(({ isRole }) => !isRole)) return missing;
  const isCommand = userService.kind === 'command';
  const why = isCommand ? 'its command runs no Node.js program with NODE_OPTIONS' : 'topo-bench does not start it';
  return [...missing, { role: name, why }];
}
