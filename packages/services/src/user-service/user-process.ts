/**
 * The command of a user's own service as a process group of its own: started by the shell, awaited until it is ready, watched, ended. What it
 * prints goes into the log of its role.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { UserCommand } from '@topo-bench/core/schema/user-service';
import { readGroupUse, type TreeUse } from '@topo-bench/host';
import { freePort, isFree } from './free-port.ts';
import { whatIsMissing } from './readiness.ts';
import { StartFailure } from './start-failure.ts';

const pauseMs = 50;
const attemptMs = 1000;
/** A server may listen on one of them only. */
const hosts = ['127.0.0.1', '[::1]'];

export class UserProcess {
  /** Scheme, host and port; known once it is ready. */
  origin = '';
  /** Called once when it ends before `stop`. */
  onEnd: ((how: string, exitCode: number) => void) | undefined;
  private readonly exited: Promise<void>;
  private ended: string | undefined;
  private stopping = false;

  private constructor(
    private readonly name: string,
    private readonly service: UserCommand,
    private readonly port: number,
    private readonly child: ChildProcess,
  ) {
    this.exited = new Promise((done) => {
      const end = (how: string, exitCode: number): void => {
        this.ended ??= how;
        if (!this.stopping) this.onEnd?.(how, exitCode);
        done();
      };
      child.once('exit', (code, signal) => end(signal ? `was ended by ${signal}` : `ended with exit code ${code}`, code || 1));
      child.once('error', (error) => end(`cannot be started: ${error.message}`, 1));
    });
  }

  /**
   * Starts the command. The log is inherited: file descriptor 2 of this process.
   * @param token what the calls to it will carry; it may check it
   * @throws StartFailure when its fixed port is taken
   */
  static async start(name: string, service: UserCommand, token: string): Promise<UserProcess> {
    const { command, env, baseDir, cwd } = service;
    const port = typeof service.port === 'number' ? service.port : await freePort();
    if (typeof service.port === 'number' && !(await isFree(port))) {
      throw new StartFailure(
        'TB_ROLE_PORT_TAKEN',
        `${name} cannot listen: port ${port} is taken`,
        'stop what listens there, or write `port: env PORT` and let the command listen on that',
      );
    }
    const variable = typeof service.port === 'number' ? {} : { [service.port.env]: String(port) };
    const child = spawn(command, {
      shell: true,
      cwd: resolve(baseDir, cwd),
      env: { ...process.env, ...variable, TOPO_BENCH_TOKEN: token, ...env },
      stdio: ['ignore', 2, 2],
      // A group of its own, so that the shell's children can be ended and measured with it.
      detached: true,
      windowsHide: true,
    });
    return new UserProcess(name, service, port, child);
  }

  /** @throws StartFailure when it ends first, or is not ready within its bound */
  async ready(): Promise<void> {
    const { command, health, readyWithinUs } = this.service;
    const endMs = performance.now() + readyWithinUs / 1e3;
    let missing = 'nothing was tried';
    while (performance.now() < endMs) {
      for (const host of hosts) {
        if (this.ended !== undefined)
          throw new StartFailure(
            'TB_ROLE_DIED',
            `${this.name}: its command ${JSON.stringify(command)} ${this.ended}`,
            portHint(this.service),
          );
        const origin = `http://${host}:${this.port}`;
        const found = await whatIsMissing(origin, health, attemptMs);
        // What answers must be what was started, not another's process on the same port.
        if (found === undefined && this.ended === undefined) {
          this.origin = origin;
          return;
        }
        if (host === hosts[0]) missing = found ?? 'its command ended';
      }
      await sleep(pauseMs);
    }
    throw new StartFailure(
      'TB_ROLE_NOT_READY',
      `${this.name}: its command ${JSON.stringify(command)} was not ready on port ${this.port} within ${readyWithinUs / 1e6} s: ${missing}`,
      portHint(this.service),
    );
  }

  /** @returns undefined where the system does not tell */
  use(): TreeUse | undefined {
    return this.child.pid === undefined ? undefined : readGroupUse(this.child.pid);
  }

  /** Ends the whole group: SIGTERM, and SIGKILL for what still lives after `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.stopping = true;
    this.signal('SIGTERM');
    const kill = setTimeout(() => this.signal('SIGKILL'), graceMs);
    await this.exited;
    clearTimeout(kill);
    // The shell may go before its children.
    this.signal('SIGKILL');
  }

  /** At once, for the end of this process. */
  kill(): void {
    this.signal('SIGKILL');
  }

  private signal(signal: NodeJS.Signals): void {
    if (this.child.pid === undefined) return;
    try {
      process.kill(-this.child.pid, signal);
    } catch {
      // No process of the group is left; or the system has no groups, and the child is all there is.
      this.child.kill(signal);
    }
  }
}

function portHint({ port, health }: UserCommand): string {
  const where = typeof port === 'number' ? `port ${port}` : `the port in the environment variable ${port.env}`;
  return `it must listen on ${where}${health === undefined ? '' : ` and answer GET ${health} with 2xx`}; \`readyWithin\` sets how long it may take`;
}
