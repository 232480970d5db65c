/** Reads a rule file, alone or under a topology, and rejects it when it has problems. */
import type { RulesFile } from '@topo-bench/core/schema/rules';
import { problemsError } from '@topo-bench/experiment';
import { readText } from '@topo-bench/experiment/read-inputs';
import { type Graph, loadRules, loadTopology } from '@topo-bench/topology';
import { findFile } from '../../shipped-files.ts';

/** @throws TopoBenchError `TB_FILE_NOT_FOUND`, or the code of its first problem with all of them */
export async function readRules(name: string): Promise<{ file: string; rules: RulesFile }> {
  const path = await findFile('rules', name);
  const source = await readText(path);
  const { rules, problems } = loadRules(source);
  if (!rules) throw problemsError(source.file, problems);
  return { file: source.file, rules };
}

/**
 * The graph of the topology under the named rule file, whatever file the topology itself names.
 * @throws TopoBenchError `TB_FILE_NOT_FOUND`, or the code of the first problem of both files with all of them
 */
export async function readRuledGraph(name: string, rules: string): Promise<Graph> {
  const topology = await readText(await findFile('topologies', name));
  const source = await readText(await findFile('rules', rules));
  const { graph, problems } = loadTopology({ topology, rules: source });
  if (!graph) throw problemsError(topology.file, problems);
  return graph;
}
