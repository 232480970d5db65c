/** The database servers on which a run can keep its stores: one line of `doctor` per protocol. */
import type { StoreEngine } from '@topo-bench/core';
import { type StoreChoice, surveyStores } from '@topo-bench/stores/servers/survey';
import type { MachineCheck } from './machine-check.ts';

const storesOf: Readonly<Record<StoreEngine, string>> = {
  postgresql: 'keeps tables and hybrids (sql-*, hybrid-*)',
  mysql: 'keeps tables with `engine: mysql`',
  mongodb: 'keeps documents (document)',
  redis: 'keeps keys with values (key-value)',
};

export async function storeChecks(): Promise<MachineCheck[]> {
  return (await surveyStores()).map(checkOf);
}

function checkOf({ engine, found, problem, variable, ways }: StoreChoice): MachineCheck {
  const effect = storesOf[engine];
  if (found === undefined) {
    return { name: engine, status: 'optional', found: 'not found', effect, remedy: `${ways}, or set ${variable}` };
  }
  if (problem === undefined) return { name: engine, status: 'ok', found, effect };
  const remedy = `correct ${variable} or start that server; without the variable a run looks on this machine`;
  return { name: engine, status: 'limited', found, effect: problem, remedy };
}
