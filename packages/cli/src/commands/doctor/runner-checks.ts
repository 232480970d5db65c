/** Which runners this machine has, by their own checks. */
import { runnerNames } from '@topo-bench/core';
import { createRunner, runners } from '@topo-bench/runners';
import type { MachineCheck } from '@topo-bench/study-kit/machine-check';
import { type EngineFlags, runnerOptionsOf } from '../../runner-option.ts';
import { policyCheck } from './policy-check.ts';

/** @param networkPolicies whether to probe them on a cluster; the check is the line below that of its runner */
export async function runnerChecks(engine: EngineFlags, networkPolicies: boolean): Promise<MachineCheck[]> {
  const checks = await Promise.all(
    runnerNames.map(async (runner): Promise<MachineCheck[]> => {
      const name = `runner ${runner}`;
      const effect = `runs services as ${runners[runner].description}`;
      // A plan without roles: checks the requirements of every deployment.
      const problems = await (await createRunner(runner, runnerOptionsOf(engine))).check({
        roles: [],
        executorOf: [],
      });
      const [first] = problems;
      if (!first) {
        const available: MachineCheck = { name, status: 'ok', found: 'available', effect };
        if (!runners[runner].createsPolicies) return [available];
        return [available, await policyCheck(runner, networkPolicies, engine)];
      }
      const found = problems.map(({ message }) => message).join('; ');
      return [{ name, status: 'optional', found, effect, ...(first.hint !== undefined && { remedy: first.hint }) }];
    }),
  );
  return checks.flat();
}
