/** Which runners this machine has, by their own checks. */
import { runnerNames } from '@topo-bench/core';
import { createRunner, runners } from '@topo-bench/runners';
import { serviceEntry } from '../../built-files.ts';
import type { MachineCheck } from './machine-check.ts';

export async function runnerChecks(): Promise<MachineCheck[]> {
  return Promise.all(
    runnerNames.map(async (runner): Promise<MachineCheck> => {
      const name = `runner ${runner}`;
      const effect = `runs services as ${runners[runner].description}`;
      // A plan without roles: checks the requirements of every deployment.
      const problems = await (await createRunner(runner, { serviceEntry: serviceEntry() })).check({
        roles: [],
        executorOf: [],
      });
      const [first] = problems;
      if (!first) return { name, status: 'ok', found: 'available', effect };
      const found = problems.map(({ message }) => message).join('; ');
      return { name, status: 'optional', found, effect, ...(first.hint !== undefined && { remedy: first.hint }) };
    }),
  );
}
