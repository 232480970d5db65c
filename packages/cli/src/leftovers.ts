/** What killed runs left on container engines and clusters, over all runners. */
import { type RunnerName, runnerNames } from '@topo-bench/core';
import { type Leftover, runners } from '@topo-bench/runners';
import { note } from './output.ts';
import { type EngineFlags, runnerOptionsOf } from './runner-option.ts';

export interface RunnerLeftovers {
  runner: RunnerName;
  /** Empty when the engine or cluster cannot be asked. */
  leftovers: Leftover[];
  /** Why it cannot be asked. */
  problem?: string;
}

/** One entry for each runner that can leave something behind. */
export async function findLeftovers(flags: EngineFlags): Promise<RunnerLeftovers[]> {
  const found = await Promise.all(runnerNames.map((runner) => leftoversOf(runner, flags)));
  return found.flatMap((one) => one ?? []);
}

/** Prints one line when killed runs left something where this runner starts services. */
export async function noteLeftovers(runner: RunnerName, flags: EngineFlags): Promise<void> {
  const { leftovers = [] } = (await leftoversOf(runner, flags)) ?? {};
  if (leftovers.length > 0)
    note(`note: killed runs left ${countsOf(leftovers)}; remove them: ${removalCommand(flags)}`);
}

export function removalCommand({ context }: EngineFlags): string {
  return context === undefined ? 'topo-bench down --all' : `topo-bench down --all --context ${context}`;
}

/** `3 containers, 1 network` */
export function countsOf(leftovers: readonly Pick<Leftover, 'objects'>[]): string {
  const counts = new Map<string, number>();
  for (const [kind, names] of leftovers.flatMap(({ objects }) => Object.entries(objects))) {
    counts.set(kind, (counts.get(kind) ?? 0) + names.length);
  }
  return [...counts].map(([kind, count]) => `${count} ${kind}${count === 1 ? '' : 's'}`).join(', ');
}

async function leftoversOf(runner: RunnerName, flags: EngineFlags): Promise<RunnerLeftovers | undefined> {
  const { leftovers } = runners[runner];
  if (!leftovers) return undefined;
  try {
    return { runner, leftovers: await leftovers(runnerOptionsOf(flags)) };
  } catch (error) {
    return { runner, leftovers: [], problem: (error as Error).message };
  }
}
