/** The error of a start that timed out, shared by all runners with log files. */
import { TopoBenchError } from '@topo-bench/core';
import { lastLines, quoted, type RoleLog } from './role-log.ts';

/** The start timed out with `late` roles not ready; `begun` of them had been started. */
export function notReady(
  begun: readonly { name: string; log: RoleLog }[],
  late: number,
  total: number,
  timeoutMs: number,
): TopoBenchError {
  const named = begun.slice(0, 5).map(({ name, log }) => `\n${name}:${quoted(lastLines(log)) || ' wrote nothing'}`);
  const more = late > named.length ? `\nand ${late - named.length} more` : '';
  const message = `${late} of ${total} roles were not ready within ${timeoutMs / 1000} s:${named.join('')}${more}`;
  return new TopoBenchError('TB_ROLE_NOT_READY', message, {
    hint: 'a busy machine needs a longer time-out or fewer services; the log of a role that hangs has the reason',
  });
}
