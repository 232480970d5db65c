/** Services that already run at a loopback address, which is another machine for roles in containers and pods. */
import { isIP } from 'node:net';
import { addressOf, hasLoopback, isLoopback, type ServerReach, seenByRoles } from '@topo-bench/core';
import type { DeploymentPlan } from '@topo-bench/deployment';
import { acceptsConnections } from '@topo-bench/host';
import type { RunnerProblem } from './runner.ts';

const attemptMs = 1000;
const elsewhere = 'give an address that they reach as `url`, or use --runner local';

/** @param reach of servers on this machine; called only when a service needs it */
export async function urlProblems(
  { roles }: DeploymentPlan,
  reach: () => Promise<ServerReach>,
): Promise<RunnerProblem[]> {
  const local = roles.flatMap(({ name, userUrl }) => (userUrl && hasLoopback(userUrl) ? { name, userUrl } : []));
  if (local.length === 0) return [];
  const how = await reach();
  const found = await Promise.all(local.map(({ name, userUrl }) => problemOf(name, userUrl, how)));
  return found.filter((problem) => problem !== undefined);
}

async function problemOf(name: string, url: string, reach: ServerReach): Promise<RunnerProblem | undefined> {
  const { loopback } = reach;
  const code = 'TB_RUNNER_CANNOT_REACH';
  if (loopback === undefined) {
    const message = `"${name}" is at ${url}, an address of this machine that the roles of this runner do not reach`;
    return { code, message, hint: elsewhere };
  }
  // Only containers can resolve a name of the engine's machine. Behind it, the engine forwards to loopback addresses.
  const address = addressOf(loopback);
  if (isLoopback(address) || isIP(address) === 0) return undefined;
  const seen = seenByRoles(url, reach);
  const { hostname, port, protocol } = new URL(seen);
  if (await acceptsConnections(addressOf(hostname), Number(port) || (protocol === 'https:' ? 443 : 80), attemptMs))
    return undefined;
  const message = `"${name}" at ${url} does not accept connections at ${seen}, where the roles reach it`;
  return { code, message, hint: `let it listen on ${address} as well; or ${elsewhere}` };
}
