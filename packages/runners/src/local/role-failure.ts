/**
 * Errors of roles that cannot start, end early or do not get ready. Each names the role, the event and the last lines
 * of its log.
 */
import { type RoleFailed, TopoBenchError } from '@topo-bench/core';
import { type ChildEnd, describeEnd } from '@topo-bench/host';
import { lastLines, quoted, type RoleLog } from '../role-log.ts';
import { isSystemRefusal, moreResources } from '../system-refusal.ts';

/** The system failed to start the process. */
export function cannotStart(name: string, nodeBinary: string, cause: NodeJS.ErrnoException): TopoBenchError {
  if (isSystemRefusal(cause)) {
    const message = `the system refused to start ${name}: ${cause.message}`;
    return new TopoBenchError('TB_RUNNER_NO_RESOURCES', message, { hint: moreResources, cause });
  }
  return new TopoBenchError('TB_RUNNER_CANNOT_START', `cannot start ${name} with ${nodeBinary}: ${cause.message}`, {
    hint: process.env.TOPO_BENCH_NODE
      ? 'TOPO_BENCH_NODE must name a Node.js binary'
      : 'check that the file may be executed',
    cause,
  });
}

/**
 * The process ended unexpectedly.
 * @param ownsService it starts a command of the user, and ends with an exit code when that has ended
 */
export function died(name: string, end: ChildEnd, log: RoleLog, ownsService: boolean): TopoBenchError {
  const lines = lastLines(log);
  const text = quoted(lines);
  if (lines.some((line) => line.includes('EADDRINUSE'))) {
    return new TopoBenchError('TB_ROLE_PORT_TAKEN', `${name} cannot listen: its port is taken${text}`, {
      hint: 'leave the port to the system (port 0), or stop what listens there',
    });
  }
  if (lines.some((line) => /\b(EMFILE|ENFILE|ENOMEM|heap out of memory)\b/.test(line))) {
    return new TopoBenchError('TB_RUNNER_NO_RESOURCES', `${name} ran out of files or memory and ended${text}`, {
      hint: moreResources,
    });
  }
  const hint =
    end.signal === 'SIGKILL'
      ? `someone killed it, or the system ran out of memory; log: ${log.path}`
      : `log: ${log.path}`;
  const code = ownsService && !end.signal ? 'TB_USER_SERVICE' : 'TB_ROLE_DIED';
  return new TopoBenchError(code, `${name} ${describeEnd(end)}${text}`, { hint });
}

/** The role itself reports the failure of its user-supplied service. */
export function failedToStart({ code, message, hint }: RoleFailed['failed'], log: RoleLog): TopoBenchError {
  return new TopoBenchError(code, `${message}${quoted(lastLines(log))}`, {
    hint: `${hint ? `${hint}; ` : ''}log: ${log.path}`,
  });
}

/** The role printed a line that is not part of the handshake. */
export function brokenHandshake(name: string, line: string, log: RoleLog): TopoBenchError {
  const message = `${name} printed ${JSON.stringify(line.slice(0, 200))} where a line of the start-up handshake was expected`;
  return new TopoBenchError('TB_ROLE_NOT_READY', message, { hint: `log: ${log.path}` });
}
