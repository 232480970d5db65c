/**
 * Resolves the texts of an experiment to cells, each with settings, graph and deployment plan, or to all their
 * problems: the text is parsed, the topology overridden, every level checked, and the cells expanded.
 */
import type { Problem } from '@topo-bench/core';
import type { ExperimentFile } from '@topo-bench/core/schema/experiment';
import type { RulesFile } from '@topo-bench/core/schema/rules';
import type { TopologyFile } from '@topo-bench/core/schema/topology';
import { parseSource, type TopologySources } from '@topo-bench/topology';
import type { ExperimentCell, Study } from '@topo-bench/trial';
import type { Only } from './cells.ts';
import type { Choices } from './choices.ts';
import { topologyFieldsOf } from './experiment-document.ts';
import { fieldsOfLevels, namedFactors } from './named-levels.ts';
import { ProblemList, problemsError } from './problem-list.ts';
import { type ExperimentInputs, rulesLevel } from './read-inputs.ts';
import { choiceError, type RefusedChoice, refusedChoice } from './refuse-choices.ts';
import { checkDriverFields } from './resolve/check-driver-fields.ts';
import { checkLevels } from './resolve/check-levels.ts';
import { expandCells } from './resolve/expand-cells.ts';
import { OverriddenTopology } from './resolve/overridden-topology.ts';
import { parseExperiment } from './resolve/parse-experiment.ts';

export interface ResolvedExperiment {
  inputs: ExperimentInputs;
  experiment: ExperimentFile;
  /** Factors whose levels have names, as written. */
  named?: Readonly<Record<string, unknown>>;
  /** The graph of topology file and choices, before any factor. Undefined for an experiment without a topology. */
  topology: TopologyFile | undefined;
  rules: RulesFile | undefined;
  cells: ExperimentCell[];
  /** What the graph of a cell was loaded from; undefined for an experiment without a topology. */
  sourcesOf(cell: ExperimentCell): TopologySources | undefined;
  /** Problems that do not stop the run. */
  warnings: Problem[];
}

export interface CheckedExperiment {
  /** Absent when there are errors. */
  resolved?: ResolvedExperiment;
  problems: Problem[];
  /** The choice that causes an error, which then has its place in no file. */
  refused?: RefusedChoice;
}

/**
 * @param studies known kinds of study
 * @throws TopoBenchError with the code of the first problem and all problems, or for a choice that causes one
 */
export function resolveExperiment(inputs: ExperimentInputs, studies: readonly Study[]): ResolvedExperiment {
  return resolvedOf(inputs, checkExperiment(inputs, studies));
}

/** @throws TopoBenchError as `resolveExperiment` */
export function resolvedOf(
  { experiment }: ExperimentInputs,
  { resolved, problems, refused }: CheckedExperiment,
): ResolvedExperiment {
  if (refused) throw choiceError(refused);
  if (resolved) return resolved;
  throw problemsError(experiment.file, problems);
}

/**
 * Checks everything that can be known before anything runs: the three files, every level of every factor, and every
 * cell.
 * @throws TopoBenchError for a choice whose field or level does not exist
 */
export function checkExperiment(inputs: ExperimentInputs, studies: readonly Study[]): CheckedExperiment {
  const checked = checkInputs(inputs, studies);
  // Lines of a chosen rule file are lines that the user has written.
  const chosenRules = inputs.otherRules?.[rulesLevel(inputs.choices.set ?? {}) ?? '']?.file;
  const inShown = checked.problems.filter(({ file }) => file !== chosenRules);
  const { set = {}, only = {} } = inputs.choices;
  const choices = [...named('set', set), ...named('only', only)];
  const refused = refusedChoice(inShown, choices, (left) => {
    const problems = new ProblemList();
    const kept = (kind: keyof Choices) =>
      Object.fromEntries(left.filter((one) => one.kind === kind).map(({ name, value }) => [name, value]));
    const others = { ...inputs.choices, set: kept('set'), only: kept('only') as Only };
    problems.attempt(parseSource(inputs.experiment).locate([]), () =>
      problems.add(checkInputs({ ...inputs, choices: others }, studies).problems),
    );
    return problems.all;
  });
  return refused ? { problems: checked.problems, refused } : checked;
}

function named<Kind extends keyof Choices>(kind: Kind, choices: Readonly<Record<string, unknown>>) {
  return Object.entries(choices).map(([name, value]) => ({ kind, name, value }));
}

function checkInputs(inputs: ExperimentInputs, studies: readonly Study[]): CheckedExperiment {
  const problems = new ProblemList();
  const parsed = parseExperiment(inputs);
  problems.add(parsed.problems);
  problems.add(checkDriverFields(parsed, inputs.choices));
  const { experiment, source } = parsed;
  if (source.problems.length > 0) return { problems: problems.all };

  const topology = new OverriddenTopology(inputs, parsed);
  problems.add(topology.problems);
  if (!experiment || !topology.isUsable) return { problems: problems.all };
  // Levels are checked one by one from here on, so an experiment that is too large stops here.
  if (problems.all.some(({ code }) => code === 'TB_EXPERIMENT_TOO_LARGE')) return { problems: problems.all };

  const chosen = topology.at({}, true);
  problems.add(chosen.problems);
  problems.add(checkLevels(parsed, topology, problems.all));
  if (problems.hasErrors) return { problems: problems.all };

  const { cells, problems: ofCells } = expandCells(parsed, experiment, topology, inputs, studies);
  problems.add(ofCells);
  if (problems.hasErrors) return { problems: problems.all };
  const { topology: file = topology.ofFiles?.topology, rules } = chosen;
  const { factors } = parsed.document;
  const named = namedFactors(factors);
  const sourcesOf = ({ given }: ExperimentCell) => topology.sourcesAt(topologyFieldsOf(fieldsOfLevels(factors, given)));
  const resolved = { inputs, experiment, named, topology: file, rules, cells, sourcesOf, warnings: problems.all };
  return { resolved, problems: problems.all };
}
