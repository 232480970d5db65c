/** Logs of roles: read from the API server when a role ends and when the deployment is stopped. */
import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { inParallel } from '../in-parallel.ts';
import type { ApiClient } from './api-client.ts';
import { namespacePath } from './resources.ts';

const maxLines = 10;
const savedAtOnce = 16;

/** The last lines of a container, or of the one before it that ended; empty when there are none. */
export async function lastLines(api: ApiClient, namespace: string, pod: string, container: string): Promise<string[]> {
  const of = (more: string): Promise<string> =>
    api.text(`${logPath(namespace, pod, container)}&tailLines=${maxLines}${more}`).catch(() => '');
  // A container that ended and runs again has its last words in the previous log.
  const text = (await of('&previous=true')) || (await of(''));
  return text.split('\n').filter(Boolean);
}

/** A container, with the role that names its log. */
export interface LoggedContainer {
  pod: string;
  container: string;
  role: string;
}

/** Appends whole logs to `<logsDir>/<role>.log`. A log that cannot be read or written does not end a run. */
export async function saveLogs(
  api: ApiClient,
  namespace: string,
  containers: readonly LoggedContainer[],
  logsDir: string,
): Promise<void> {
  await inParallel(containers, savedAtOnce, (one) => saveLog(api, namespace, one, logsDir).catch(() => undefined));
}

async function saveLog(
  api: ApiClient,
  namespace: string,
  { pod, container, role }: LoggedContainer,
  logsDir: string,
): Promise<void> {
  const path = logPath(namespace, pod, container);
  const previous = await api.text(`${path}&previous=true`).catch(() => '');
  const current = await api.text(path).catch(() => '');
  await mkdir(logsDir, { recursive: true, mode: 0o700 });
  await appendFile(join(logsDir, `${role}.log`), previous + current, { mode: 0o600 });
}

function logPath(namespace: string, pod: string, container: string): string {
  return `${namespacePath(namespace)}/pods/${pod}/log?container=${container}`;
}
