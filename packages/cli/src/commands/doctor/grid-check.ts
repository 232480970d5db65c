/** Whether a Hazelcast cluster can stand in front of the databases of streams. */
import { surveyGrid } from '@topo-bench/stream-study/grid';
import type { MachineCheck } from './machine-check.ts';

export async function gridCheck(): Promise<MachineCheck> {
  const name = 'hazelcast';
  const effect = 'stands in front of the databases of streams with `grid: hazelcast`';
  const { found, problem, variable } = await surveyGrid();
  if (found === undefined) {
    const remedy = `start a cluster of Hazelcast 5, and set ${variable} to hazelcast://host:port/cluster`;
    return { name, status: 'optional', found: 'no cluster is named', effect, remedy };
  }
  if (problem === undefined) return { name, status: 'ok', found, effect };
  return { name, status: 'limited', found, effect: problem, remedy: `start that cluster, or correct ${variable}` };
}
