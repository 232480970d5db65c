/** Reads a topology file with its rules, under the overrides of `--set`. */
import { dirname, resolve } from 'node:path';
import type { FactorLevel } from '@topo-bench/core';
import { problemsError } from '@topo-bench/experiment/problem-list';
import { readChosen, readRulesOf, readText } from '@topo-bench/experiment/read-inputs';
import { choiceError, refusedChoice } from '@topo-bench/experiment/refuse-choices';
import { type Graph, type LoadedTopology, loadTopology, topologyFactor } from '@topo-bench/topology';
import { parsedValue } from './option-values.ts';

/** @throws TopoBenchError with all problems of the files, or for an override that causes one */
export async function readGraph(path: string, set: readonly [path: string, value: string][] = []): Promise<Graph> {
  const topology = await readText(path);
  const choices = new Map(set.map(([name, value]) => [name, parsedValue(value) as FactorLevel]));
  const chosen = choices.get('topology.rules') ?? choices.get('rules');
  const rules = await (typeof chosen === 'string'
    ? readChosen('rules', chosen, resolve(dirname(path), chosen), path)
    : readRulesOf(topology, path));
  const loadWith = (levels: readonly [string, FactorLevel][]): LoadedTopology => {
    const factors = Object.fromEntries(levels.map(([name, value]) => [topologyFactor(name), value]));
    return loadTopology({ topology, rules, overrides: { factors } });
  };
  const { graph, problems } = loadWith([...choices]);
  const named = [...choices].map(([name, value]) => ({ name, value }));
  const refused = refusedChoice(
    problems,
    named,
    (left) => loadWith(left.map(({ name, value }) => [name, value])).problems,
  );
  if (refused) throw choiceError(refused);
  if (!graph) throw problemsError(topology.file, problems);
  return graph;
}
