/** Whether killed runs left containers or namespaces that still use this machine or cluster. */

import type { MachineCheck } from '@topo-bench/study-kit/machine-check';
import { countsOf, findLeftovers, removalCommand } from '../../leftovers.ts';
import type { EngineFlags } from '../../runner-option.ts';

/** No line on a machine without an engine or cluster. */
export async function leftoverChecks(flags: EngineFlags): Promise<MachineCheck[]> {
  const found = (await findLeftovers(flags)).filter(({ problem }) => problem === undefined);
  if (found.length === 0) return [];
  const leftovers = found.flatMap((one) => one.leftovers);
  const name = 'leftovers';
  if (leftovers.length === 0) return [{ name, status: 'ok', found: 'none', effect: 'killed runs left nothing behind' }];
  const effect = 'killed runs left them, and they use the processors and memory of later runs';
  return [{ name, status: 'limited', found: countsOf(leftovers), effect, remedy: removalCommand(flags) }];
}
