/** What `doctor` finds for stream jobs: a Flink cluster, and a grid in front of the databases. */
import type { MachineCheck } from '@topo-bench/study-kit/machine-check';
import { surveyFlink } from './engine/flink/survey-flink.ts';
import { surveyGrid } from './survey-grid.ts';

export async function streamChecks(): Promise<MachineCheck[]> {
  return [await gridCheck(), await flinkCheck()];
}

async function flinkCheck(): Promise<MachineCheck> {
  const name = 'flink';
  const effect = 'runs jobs of streams with `engine: flink`';
  const { cluster, isJobBuilt, problem, remedy } = await surveyFlink();
  const job = `the job is ${isJobBuilt ? '' : 'not '}built`;
  if (cluster === undefined) {
    return { name, status: 'optional', found: `no cluster is named, ${job}`, effect, ...(remedy && { remedy }) };
  }
  if (problem === undefined) return { name, status: 'ok', found: `${cluster}, ${job}`, effect };
  return { name, status: 'limited', found: cluster, effect: problem, ...(remedy && { remedy }) };
}

async function gridCheck(): Promise<MachineCheck> {
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
