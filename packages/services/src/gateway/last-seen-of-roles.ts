/** Asks all roles when they last saw a request, for flows that were lost. */
import type { LastSeen } from '@topo-bench/core';
import type { HopClient } from '../hops/hop-client.ts';

/** @returns by role, without roles that have not seen it or do not answer in time */
export async function lastSeenOfRoles(
  client: HopClient,
  id: string,
  controlToken: string,
  withinUs: number,
): Promise<Map<string, LastSeen>> {
  const seen = new Map<string, LastSeen>();
  const path = `/control/seen/${encodeURIComponent(id)}`;
  const ask = async (name: string): Promise<void> => {
    try {
      const answer = await client.readControl(name, path, controlToken, withinUs / 1000);
      if (answer.status === 200) seen.set(name, JSON.parse(answer.text) as LastSeen);
    } catch {
      // The role that handed the flow to an unreachable role has recorded it too.
    }
  };
  await Promise.all(client.names.map(ask));
  return seen;
}
