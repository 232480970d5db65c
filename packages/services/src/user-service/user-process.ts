/**
 * The command of a user-supplied service as a process group, started by the shell and ended with the role. Its output
 * goes to the log of the role.
 */
import { resolve } from 'node:path';
import type { UserCommand } from '@topo-bench/core/schema/user-service';
import {
  describeEnd,
  freePort,
  isFreePort,
  readGroupUse,
  SupervisedChild,
  type TreeUse,
  whenReady,
} from '@topo-bench/host';
import { whatIsMissing } from './readiness.ts';
import { StartFailure } from './start-failure.ts';

const pauseMs = 50;
const attemptMs = 1000;
/** Some servers listen on only one of them. */
const hosts = ['127.0.0.1', '[::1]'];

export class UserProcess {
  /** Scheme, host and port; set once the service is ready. */
  origin = '';
  /** Called once if the process ends before `stop`. */
  onEnd: ((how: string, exitCode: number) => void) | undefined;
  readonly #name: string;
  readonly #service: UserCommand;
  readonly #port: number;
  readonly #child: SupervisedChild;

  private constructor(name: string, service: UserCommand, port: number, env: NodeJS.ProcessEnv) {
    this.#name = name;
    this.#service = service;
    this.#port = port;
    this.#child = new SupervisedChild({
      command: service.command,
      shell: true,
      cwd: resolve(service.baseDir, service.cwd),
      env,
      // Both outputs go to the role's standard error, which is its log.
      stdio: ['ignore', 2, 2],
      // Includes the children of the shell in `stop` and `use`.
      ownGroup: true,
      killAtExit: true,
      onDeath: (end) => this.onEnd?.(describeEnd(end), end.exitCode || 1),
    });
  }

  /**
   * Starts the command.
   * @param token sent with every call to the service, which may check it
   * @throws StartFailure when its fixed port is taken
   */
  static async start(name: string, service: UserCommand, token: string): Promise<UserProcess> {
    const port = typeof service.port === 'number' ? service.port : await freePort();
    if (typeof service.port === 'number' && !(await isFreePort(port))) {
      throw new StartFailure(
        'TB_ROLE_PORT_TAKEN',
        `${name} cannot listen: port ${port} is taken`,
        'free the port, or write `port: env PORT` and let the command listen on that port',
      );
    }
    const variable = typeof service.port === 'number' ? {} : { [service.port.env]: String(port) };
    // The role has none but those that prepare a profile.
    const options = [service.env.NODE_OPTIONS, process.env.NODE_OPTIONS].filter((one) => one !== undefined);
    return new UserProcess(name, service, port, {
      ...process.env,
      ...variable,
      TOPO_BENCH_TOKEN: token,
      ...service.env,
      ...(options.length > 0 && { NODE_OPTIONS: options.join(' ') }),
    });
  }

  /** @throws StartFailure when the process ends first, or is not ready within `readyWithin` */
  async ready(): Promise<void> {
    const { readyWithinUs } = this.#service;
    const missing = await whenReady(() => this.#missing(), { timeoutMs: readyWithinUs / 1e3, pauseMs });
    if (missing === undefined) return;
    const message = `was not ready on port ${this.#port} within ${readyWithinUs / 1e6} s: ${missing}`;
    throw this.#failure(message);
  }

  /** @returns undefined where the system provides no figures */
  use(): TreeUse | undefined {
    return this.#child.pid === undefined ? undefined : readGroupUse(this.#child.pid);
  }

  /** Ends the whole group: SIGTERM, then SIGKILL after `graceMs`. */
  stop(graceMs: number): Promise<void> {
    return this.#child.stop(graceMs);
  }

  /** @returns the problem on the first host; undefined if the service is ready and `origin` is set */
  async #missing(): Promise<string | undefined> {
    let missing: string | undefined;
    for (const host of hosts) {
      this.#throwIfEnded();
      const origin = `http://${host}:${this.#port}`;
      const found = await whatIsMissing(origin, this.#service.health, attemptMs);
      // The answering process must be this one, not another on the same port.
      this.#throwIfEnded();
      if (found === undefined) {
        this.origin = origin;
        return undefined;
      }
      missing ??= found;
    }
    return missing;
  }

  #throwIfEnded(): void {
    const { end } = this.#child;
    if (end) throw this.#failure(describeEnd(end));
  }

  #failure(how: string): StartFailure {
    const { command, port, health } = this.#service;
    const where = typeof port === 'number' ? `port ${port}` : `the port in the environment variable ${port.env}`;
    const hint = `it must listen on ${where}${health === undefined ? '' : ` and answer GET ${health} with 2xx`}; \`readyWithin\` sets how long it may take`;
    return new StartFailure('TB_USER_SERVICE', `${this.#name}: its command ${JSON.stringify(command)} ${how}`, hint);
  }
}
