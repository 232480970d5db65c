/** Errors of containers that end early. Each names the role, the event and the last lines of its log. */
import { formatBytes, type RoleFailed, TopoBenchError } from '@topo-bench/core';
import { lastLines, quoted, type RoleLog } from '../role-log.ts';

/** State of a container that has ended, as the engine reports it. */
export interface ContainerEnd {
  exitCode: number;
  /** The kernel ended a process of it: it had more memory than its limit, or the host was out of memory. */
  outOfMemory: boolean;
  /** Text of the engine about a container that could not run. */
  error?: string | undefined;
  /** Absent without a limit. */
  memoryLimitBytes?: number | undefined;
}

const killed = 128 + 9;

/** @param isOfUser the container is an image of the user */
export function died(name: string, end: ContainerEnd, log: RoleLog, isOfUser: boolean): TopoBenchError {
  const all = lastLines(log);
  const report = all.map(reportOf).find(Boolean);
  const lines = all.filter((line) => !reportOf(line));
  const text = quoted(lines);
  if (report) {
    const { code, message, hint } = report;
    return new TopoBenchError(code, message + text, { hint: `${hint ? `${hint}; ` : ''}log: ${log.path}` });
  }
  const { exitCode, outOfMemory, error, memoryLimitBytes: limit } = end;
  if (outOfMemory) {
    const cause = limit === undefined ? 'its host was out of memory' : `it used more than its ${formatBytes(limit)}`;
    return new TopoBenchError('TB_ROLE_DIED', `the container of ${name} was killed: ${cause}${text}`, {
      hint:
        limit === undefined
          ? `free memory or deploy fewer services; log: ${log.path}`
          : `raise \`limits.memory\` of ${name} in the topology, or send less load; log: ${log.path}`,
    });
  }
  if (lines.some((line) => /\b(EMFILE|ENFILE|ENOMEM|heap out of memory)\b/.test(line))) {
    return new TopoBenchError('TB_RUNNER_NO_RESOURCES', `${name} ran out of files or memory and ended${text}`, {
      hint: `raise the limits of ${name}, or send less load; log: ${log.path}`,
    });
  }
  const how = exitCode === killed ? 'was killed (SIGKILL)' : `ended with exit code ${exitCode}`;
  const hint = exitCode === killed ? `something outside topo-bench killed it; log: ${log.path}` : `log: ${log.path}`;
  const code = isOfUser && exitCode !== killed ? 'TB_USER_SERVICE' : 'TB_ROLE_DIED';
  return new TopoBenchError(code, `the container of ${name} ${how}${error ? `: ${error}` : ''}${text}`, {
    hint,
  });
}

/** The line with which a role reports that its user-supplied service failed to start. */
function reportOf(line: string): RoleFailed['failed'] | undefined {
  if (!line.startsWith('{"failed":')) return undefined;
  try {
    return (JSON.parse(line) as RoleFailed).failed;
  } catch {
    return undefined;
  }
}

/** The engine no longer answers, so the state of the container is unknown. */
export function lost(name: string, cause: unknown): TopoBenchError {
  const message = `the connection to the container engine broke while ${name} ran: ${(cause as Error).message}`;
  return new TopoBenchError('TB_ENGINE_FAILED', message, { hint: 'check that the engine still runs', cause });
}
