/** What killed processes left on the container engine. */
import { connectEngine, engineLeftovers } from '@topo-bench/containers';
import type { Leftover } from '../leftover.ts';
import type { RunnerOptions } from '../runner-options.ts';

/** @throws TopoBenchError without an engine */
export async function dockerLeftovers({ context }: Pick<RunnerOptions, 'context'>): Promise<Leftover[]> {
  const { client } = await connectEngine({ context });
  return engineLeftovers(client);
}
