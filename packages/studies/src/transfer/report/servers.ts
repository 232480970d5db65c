/** Names the Flight servers of a run if one of them is not the service of topo-bench. */
import type { TransferCell } from './transfer-cells.ts';

/** Empty if the service of topo-bench moved all rows. */
export function serverSentences(cells: readonly TransferCell[]): string[] {
  const moved = cells
    .flatMap(({ group: { valid, invalid } }) => [...valid, ...invalid])
    .flatMap(({ flight }) => flight ?? []);
  const servers = new Map(moved.flatMap(({ server }) => (server ? [[server.name, server.version] as const] : [])));
  const names = [...servers].map(([name, version]) => (version === undefined ? name : `${name} ${version}`));
  if (![...servers.keys()].some((name) => name !== 'topo-bench')) return [];
  return [`${names.length === 1 ? 'Flight server' : 'Flight servers'}: ${names.join(', ')}.`];
}
