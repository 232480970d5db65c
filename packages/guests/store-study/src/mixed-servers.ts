/** Repetitions of one store from several servers or versions are not comparable: the run warns of them. */
import type { StoreEntry } from './parts.ts';
import type { PersistenceResult } from './payload-schema.ts';

/** Warning for the first repetition of a store on another server, or on another version, than earlier repetitions. */
export function mixedServers(before: readonly StoreEntry[], { persistence: now }: StoreEntry): string | undefined {
  if (!now) return undefined;
  const alike = before.flatMap(({ persistence }) =>
    persistence?.configuration === now.configuration ? persistence : [],
  );
  const known = new Set(alike.map(serverText));
  if (known.size === 0 || known.has(serverText(now))) return undefined;
  return `figures of ${now.configuration} are from different servers: ${[...known, serverText(now)].join(', ')}`;
}

function serverText({ server: { name, version, address } }: PersistenceResult): string {
  return `${name} ${version} ${address === undefined ? 'of topo-bench' : `at ${address}`}`;
}
