/** Whether stream jobs can run on Apache Flink. */
import { surveyFlink } from '@topo-bench/stream-study/flink';
import type { MachineCheck } from './machine-check.ts';

export async function flinkCheck(): Promise<MachineCheck> {
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
