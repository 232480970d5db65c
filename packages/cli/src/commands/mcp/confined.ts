/** What a client may have measured: processes of topo-bench on this machine. Files and clients can name more. */
import { localRunner, TopoBenchError } from '@topo-bench/core';
import type { ExperimentCell } from '@topo-bench/trial';

/** @throws TopoBenchError `TB_USAGE` for containers, commands of files, and servers that they name */
export function requireConfined(cells: readonly ExperimentCell[]): void {
  for (const { settings, graph } of cells) {
    if (settings.runner !== localRunner)
      throw refused(`runner ${settings.runner}: this server measures with the runner ${localRunner}`);
    for (const { name, user, persistence } of graph.services) {
      if (user !== undefined) throw refused(`${name} is user-supplied: this server starts no commands of files`);
      if (persistence?.image !== undefined)
        throw refused(`${name} has a store of the image ${persistence.image}: this server starts no images`);
      // Its address can contain a password.
      if (persistence?.url !== undefined)
        throw refused(`${name} has a store on a server of your own: this server writes to no databases of files`);
    }
  }
}

function refused(message: string): TopoBenchError {
  return new TopoBenchError('TB_USAGE', message, { hint: 'run it with the command line tool: topo-bench run' });
}
