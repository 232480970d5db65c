/** Records the machines of the roles in `run.json`. */
import type { Host } from '@topo-bench/core/schema/result';
import type { RunWriter } from '@topo-bench/results';

/** Adds hosts that the record does not have yet. Runners can use one machine with different versions of Node.js. */
export async function recordHosts(writer: RunWriter, hosts: readonly Host[] = []): Promise<void> {
  const { hosts: known = [], status } = writer.record;
  const added = hosts.filter(({ id, node }) => !known.some((host) => host.id === id && host.node === node));
  if (added.length > 0) await writer.mark(status, { hosts: [...known, ...added] });
}
