/** The work of `down --all`: stops every topology of `up`, then removes what killed runs left behind. */
import { TopoBenchError } from '@topo-bench/core';
import { countsOf, findLeftovers, type RunnerLeftovers } from '../../leftovers.ts';
import { note, printJson, printLine } from '../../output.ts';
import { listRunning } from '../../running-topology.ts';
import type { DownFlags } from './options.ts';
import { stopRunning } from './stop-running.ts';

/** @throws TopoBenchError `TB_ENGINE_FAILED` when something could not be removed; the rest is */
export async function stopAll({ json, context }: DownFlags): Promise<void> {
  const running = await listRunning();
  for (const topology of running) {
    await stopRunning(topology);
    if (!json) printLine(`stopped ${topology.topology}`);
  }
  const found = await findLeftovers(context === undefined ? {} : { context });
  const failures: string[] = [];
  for (const one of found) failures.push(...(await removeFound(one, json)));
  const removed = found.flatMap(({ runner, leftovers }) =>
    leftovers.map(({ run, objects }) => ({ runner, run, objects })),
  );
  if (failures.length > 0) {
    throw new TopoBenchError('TB_ENGINE_FAILED', `not removed:\n${failures.join('\n')}`, {
      hint: 'call `topo-bench down --all` again, or remove them with the tool of the engine',
    });
  }
  if (json) {
    const stopped = running.map(({ topology, pid }) => ({ topology, pid }));
    const unchecked = found.flatMap(({ runner, problem }) => (problem === undefined ? [] : [{ runner, problem }]));
    printJson({ stopped, removed, unchecked });
  } else if (running.length + removed.length === 0) printLine('nothing runs, and nothing is left over');
}

/** Lists each run before it is removed. @returns failures as text */
async function removeFound({ runner, leftovers, problem }: RunnerLeftovers, json = false): Promise<string[]> {
  if (problem !== undefined) note(`note: not checked for the runner "${runner}": ${problem}`);
  const failures: string[] = [];
  for (const leftover of leftovers) {
    const text = `${countsOf([leftover])} of the run ${leftover.run}`;
    try {
      if (!json) for (const name of Object.values(leftover.objects).flat()) printLine(`  ${name}`);
      await leftover.remove();
      if (!json) printLine(`removed ${text}`);
    } catch (error) {
      failures.push(`${text}: ${(error as Error).message}`);
    }
  }
  return failures;
}
