/**
 * A user-supplied service for its role: a command that the role starts, or the address of a running service or of a
 * container of the runner.
 */
import type { UserService, UserUrl } from '@topo-bench/core/schema/user-service';
import { type TreeUse, whenReady } from '@topo-bench/host';
import { whatIsMissing } from './readiness.ts';
import { StartFailure } from './start-failure.ts';
import { UserProcess } from './user-process.ts';

export interface RunningUserService {
  /** Scheme, host and port. */
  origin: string;
  /** Undefined where the system provides no figures. */
  use(): TreeUse | undefined;
  stop(graceMs: number): Promise<void>;
}

const pauseMs = 100;
const attemptMs = 1000;

/**
 * Starts a command, or waits for a running service. Resolves when the service is ready.
 * @param onEnd called when the command ends on its own after it was ready
 * @throws StartFailure
 */
export async function runUserService(
  name: string,
  service: UserService,
  token: string,
  onEnd: (how: string, exitCode: number) => void,
): Promise<RunningUserService> {
  if (service.kind === 'url') {
    return found(name, service, ['TB_ROLE_NOT_READY', 'start it first, or correct its `url` and `health`']);
  }
  if (service.kind === 'image') {
    const { origin, image, port } = service;
    if (origin === undefined) throw new Error(`${name}: its runner has not started the image ${image}`);
    const where = typeof port === 'number' ? `port ${port}` : `the port in the environment variable ${port.env}`;
    const hint = `the image must listen on ${where}, on all addresses; see its log`;
    return found(name, { ...service, origin }, ['TB_USER_SERVICE', hint]);
  }
  const child = await UserProcess.start(name, service, token);
  try {
    await child.ready();
  } catch (error) {
    await child.stop(0);
    throw error;
  }
  child.onEnd = (how, exitCode) => onEnd(`its command ${JSON.stringify(service.command)} ${how}`, exitCode);
  return child;
}

/** Waits for a service that the role does not start. */
async function found(
  name: string,
  { origin, health, readyWithinUs }: Pick<UserUrl, 'origin' | 'health' | 'readyWithinUs'>,
  [code, hint]: [code: StartFailure['code'], hint: string],
): Promise<RunningUserService> {
  const wait = { timeoutMs: readyWithinUs / 1e3, pauseMs };
  const missing = await whenReady(() => whatIsMissing(origin, health, attemptMs), wait);
  if (missing === undefined) return { origin, use: () => undefined, stop: async () => undefined };
  const message = `${name}: ${origin} was not ready within ${readyWithinUs / 1e6} s: ${missing}`;
  throw new StartFailure(code, message, hint);
}
