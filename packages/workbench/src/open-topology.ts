/** Opens a topology without an experiment: its problems, or its graph. */
import { dirname, resolve } from 'node:path';
import { type FactorLevel, TopoBenchError } from '@topo-bench/core';
import { problemsError } from '@topo-bench/experiment/problem-list';
import { type ReadText, readChosen, readRulesOf, readText } from '@topo-bench/experiment/read-inputs';
import { choiceError, refusedChoice } from '@topo-bench/experiment/refuse-choices';
import {
  type Graph,
  type LoadedTopology,
  loadTopology,
  parseSource,
  type SourceText,
  topologyFactor,
} from '@topo-bench/topology';
import { type OpenProblem, problemOfChoice, problemsOfFailure } from './open-problem.ts';

/** Fields of the topology by name, with other values than in the file. */
export type TopologyChoices = Readonly<Record<string, FactorLevel>>;

export interface OpenedTopology {
  problems: readonly OpenProblem[];
  /** Throws while there are errors: of a choice, or with all problems of the files. */
  readonly graph: Graph;
}

/**
 * @param read default: from the disk
 * @throws TopoBenchError `TB_FILE_NOT_FOUND` for the topology itself
 */
export async function openTopology(
  path: string,
  choices: TopologyChoices = {},
  read: ReadText = readText,
): Promise<OpenedTopology> {
  const topology = await read(path);
  const { locate } = parseSource(topology);
  try {
    const rules = await rulesFor(topology, path, choices, read);
    const named = Object.entries(choices).map(([name, value]) => ({ name, value }));
    const loadWith = (some: typeof named): LoadedTopology => {
      const factors = Object.fromEntries(some.map(({ name, value }) => [topologyFactor(name), value]));
      return loadTopology({ topology, rules, overrides: { factors } });
    };
    const { graph, problems } = loadWith(named);
    const refused = refusedChoice(problems, named, (left) => loadWith([...left]).problems);
    if (refused) return unusable([problemOfChoice(refused, locate)], choiceError(refused));
    return graph ? { problems, graph } : unusable(problems, problemsError(topology.file, problems));
  } catch (error) {
    if (!(error instanceof TopoBenchError)) throw error;
    return unusable(problemsOfFailure(error, 'rules', locate), error);
  }
}

async function rulesFor(
  topology: SourceText,
  path: string,
  choices: TopologyChoices,
  read: ReadText,
): Promise<SourceText | undefined> {
  const chosen = choices['topology.rules'] ?? choices.rules;
  if (typeof chosen !== 'string') return readRulesOf(topology, path, {}, read);
  return readChosen('rules', chosen, resolve(dirname(path), chosen), path, read);
}

function unusable(problems: readonly OpenProblem[], error: TopoBenchError): OpenedTopology {
  return {
    problems,
    get graph(): never {
      throw error;
    },
  };
}
