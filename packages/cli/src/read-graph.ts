/** Reads a topology file with its rules, under the overrides of `--set`. */
import { problemsError } from '@topo-bench/experiment/problem-list';
import { readRulesOf, readText } from '@topo-bench/experiment/read-inputs';
import { type Graph, loadTopology } from '@topo-bench/topology';
import { parsedValue } from './option-values.ts';

/** @throws TopoBenchError with all problems of the files */
export async function readGraph(path: string, set: readonly [path: string, value: string][] = []): Promise<Graph> {
  const topology = await readText(path);
  const factors = Object.fromEntries(set.map(([field, value]) => [field, parsedValue(value) as string]));
  const { graph, problems } = loadTopology({
    topology,
    rules: await readRulesOf(topology, path),
    overrides: { factors },
  });
  if (!graph) throw problemsError(topology.file, problems);
  return graph;
}
