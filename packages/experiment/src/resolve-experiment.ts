/**
 * Resolves the texts of an experiment to cells, each with settings, graph and deployment plan, or to all their
 * problems.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  cellKey,
  type FactorLevel,
  factorPath,
  type Problem,
  type SourceLocation,
  TopoBenchError,
} from '@topo-bench/core';
import { type ExperimentFile, experimentFile } from '@topo-bench/core/schema/experiment';
import type { RulesFile } from '@topo-bench/core/schema/rules';
import type { TopologyFile } from '@topo-bench/core/schema/topology';
import {
  applyOverrides,
  checkValue,
  emptyGraph,
  type Graph,
  type LoadedTopology,
  loadTopology,
  parseSource,
  problemsOf,
  type SourceDocument,
} from '@topo-bench/topology';
import { type ExperimentCell, type OmittedCell, type Study, studyOf } from '@topo-bench/trial';
import { buildCell } from './build-cell.ts';
import { factorialCells, narrowCells, type Only } from './cells.ts';
import { checkSize } from './check-size.ts';
import {
  type ExperimentDocument,
  topologyLevelsOf,
  withChoices,
  withLevel,
  withoutField,
} from './experiment-document.ts';
import { checkInterleaved } from './interleaved/check-interleaved.ts';
import { ProblemList, placesInSet, problemKey, problemsError } from './problem-list.ts';
import { type Choices, type ExperimentInputs, rulesLevel } from './read-inputs.ts';
import { refuseChoices } from './refuse-choices.ts';
import { withPointsOfTracks } from './tracks.ts';

export interface ResolvedExperiment {
  inputs: ExperimentInputs;
  experiment: ExperimentFile;
  /** The graph of topology file and choices, before any factor. Undefined for an experiment without a topology. */
  topology: TopologyFile | undefined;
  rules: RulesFile | undefined;
  cells: ExperimentCell[];
  /** Problems that do not stop the run. */
  warnings: Problem[];
}

export interface CheckedExperiment {
  /** Absent when there are errors. */
  resolved?: ResolvedExperiment;
  problems: Problem[];
}

/**
 * @param studies known kinds of study
 * @throws TopoBenchError with the code of the first problem and all problems
 */
export function resolveExperiment(inputs: ExperimentInputs, studies: readonly Study[]): ResolvedExperiment {
  const { resolved, problems } = checkExperiment(inputs, studies);
  if (resolved) return resolved;
  throw problemsError(inputs.experiment.file, problems);
}

/**
 * Checks everything that can be known before anything runs: the three files, every level of every factor, and every
 * cell.
 * @throws TopoBenchError for choices of the command line, which have no place in a file
 */
export function checkExperiment(inputs: ExperimentInputs, studies: readonly Study[]): CheckedExperiment {
  const checked = checkInputs(inputs, studies);
  const { set = {}, only = {} } = inputs.choices;
  const problemsWith = (choices: Choices): Problem[] => {
    const problems = new ProblemList();
    const others = { ...inputs, choices: { ...inputs.choices, ...choices } };
    problems.attempt(parseSource(inputs.experiment).locate([]), () =>
      problems.add(checkInputs(others, studies).problems),
    );
    return problems.all;
  };
  // Lines of a chosen rule file are lines that the user has written.
  const inShown = checked.problems.filter(({ file }) => !isChosenRules(file, inputs));
  refuseChoices(inShown, set, (name) => problemsWith({ set: withoutField(set, [name]) }));
  refuseChoices(inShown, only, (name) => problemsWith({ only: withoutField(only, [name]) as Only }));
  return checked;
}

function isChosenRules(file: string, { otherRules = {}, choices: { set = {} } }: ExperimentInputs): boolean {
  return otherRules[rulesLevel(set) ?? '']?.file === file;
}

function checkInputs(inputs: ExperimentInputs, studies: readonly Study[]): CheckedExperiment {
  const problems = new ProblemList();
  const source = parseSource(inputs.experiment);
  problems.add(source.problems);
  if (problems.hasErrors) return { problems: problems.all };

  const { document: chosen, topologyLevels } = isMap(source.value)
    ? withChoices(source.value, inputs.choices)
    : { document: source.value as ExperimentDocument, topologyLevels: {} };
  const document = withPointsOfTracks(chosen, inputs);
  const { value: experiment, partial, findings } = checkValue(experimentFile, document);
  problems.add(problemsOf(findings, source));
  if (experiment) problems.add(checkSize(experiment.factors, experiment.repetitions, source));
  const set = knownFields((experiment ?? partial)?.set ?? {}, inputs, source, problems);
  // The schema requires a topology of every experiment that deploys services.
  const none = experiment && experiment.topology === undefined ? emptyGraph(experiment.name) : undefined;
  const ofFiles = inputs.topology && loadWith(inputs, set, {});
  const places = placesInSet(ofFiles?.problems ?? [], set, source, (fields) => {
    const usable = knownFields(fields, inputs, source, new ProblemList());
    return loadWith(inputs, usable, {}).problems;
  });
  const placed = ({ problems, ...loaded }: LoadedTopology): LoadedTopology => ({
    ...loaded,
    problems: problems.map((problem) => ({ ...problem, ...places.get(problemKey(problem)) })),
  });
  const load = (levels: Record<string, FactorLevel>): LoadedTopology =>
    none ? withoutTopology(none, levels) : placed(loadWith(inputs, set, { ...topologyLevels, ...levels }));
  const inFile = ofFiles && placed(ofFiles);
  problems.add(inFile?.problems ?? []);
  if (!experiment || !(none ?? inFile?.topology)) return { problems: problems.all };
  problems.attempt(source.locate(['set']), () => none && withoutTopology(none, topologyLevels));
  // Levels are checked one by one from here on, so an experiment that is too large stops here.
  if (problems.all.some(({ code }) => code === 'TB_EXPERIMENT_TOO_LARGE')) return { problems: problems.all };

  const { topology = inFile?.topology, rules, problems: ofChoices } = load({});
  problems.add(ofChoices);
  checkLevels(document, source, load, problems);
  if (problems.hasErrors) return { problems: problems.all };

  const { cells, omitted } = cellsOf(experiment, document, inputs, studies, (levels) => {
    const loaded = load(levels);
    problems.add(loaded.problems);
    return loaded;
  });
  problems.add(omitted.map((one) => omittedCells(one, source.locate(['factors']))));
  if (cells.length === 0 && omitted[0]) problems.add([noCells(omitted[0], source.locate(['factors']))]);
  for (const study of new Set(cells.map((cell) => cell.study))) {
    const own = cells.filter((cell) => cell.study === study);
    problems.add(study.check(own, (path) => source.locate(path)));
  }
  problems.add(checkInterleaved(cells, source.locate(['deploy'])));
  if (problems.hasErrors) return { problems: problems.all };
  return { resolved: { inputs, experiment, topology, rules, cells, warnings: problems.all }, problems: problems.all };
}

function loadWith(
  { topology, rules, otherRules = {} }: ExperimentInputs,
  set: Record<string, unknown>,
  factors: Record<string, FactorLevel>,
): LoadedTopology {
  const inForce = otherRules[rulesLevel(factors) ?? ''] ?? rules;
  return topology ? loadTopology({ topology, rules: inForce, overrides: { set, factors } }) : { problems: [] };
}

/** The fields of `set` that a topology has. Each of the others is a problem at its own key. */
function knownFields(
  set: Readonly<Record<string, unknown>>,
  { topology }: ExperimentInputs,
  source: SourceDocument,
  problems: ProblemList,
): Record<string, unknown> {
  const known: Record<string, unknown> = {};
  const input = topology && parseSource(topology).value;
  for (const [field, value] of Object.entries(set)) {
    problems.attempt(source.locate(['set', field], 'key'), () => {
      applyOverrides(input, { set: { ...known, [field]: value } });
      known[field] = value;
    });
  }
  return known;
}

/** Checks every level separately, so a problem has the location of the level, not of the field in the topology. */
function checkLevels(
  document: ExperimentDocument,
  source: SourceDocument,
  load: (levels: Record<string, FactorLevel>) => LoadedTopology,
  problems: ProblemList,
): void {
  const { factors = {} } = document as { factors?: Record<string, FactorLevel[]> };
  const known = new Set(problems.all.map(({ message }) => message));
  const names = Object.keys(factors);
  for (const [factor, levels] of Object.entries(factors)) {
    const same = names.slice(0, names.indexOf(factor)).find((other) => factorPath(other) === factorPath(factor));
    if (same !== undefined) problems.add([{ ...source.locate(['factors', factor]), ...duplicateFactor(factor, same) }]);
    levels.forEach((level, index) => {
      const place = source.locate(['factors', factor, index]);
      const first = levels.findIndex((other) => isDeepStrictEqual(other, level));
      if (first < index) problems.add([{ ...place, ...duplicateLevel(factor, level, first) }]);
      problems.attempt(place, () => {
        const { findings } = checkValue(experimentFile, withLevel(document, factor, level));
        const ofTopology = load(topologyLevelsOf({ [factor]: level })).problems.filter(
          ({ severity }) => severity !== 'warning',
        );
        const found = [...findings, ...ofTopology].filter(({ message }) => !known.has(message));
        problems.add(
          found.map(({ code, message, hint }) => ({ ...place, code, message, ...(hint !== undefined && { hint }) })),
        );
      });
    });
  }
}

function duplicateFactor(factor: string, same: string): Pick<Problem, 'code' | 'message' | 'hint'> {
  return {
    code: 'TB_EXPERIMENT_DUPLICATE_FACTOR',
    message: `factors: ${factor} and ${same} set the same field`,
    hint: 'keep one of them, with the levels of both',
  };
}

function duplicateLevel(factor: string, level: FactorLevel, first: number): Pick<Problem, 'code' | 'message' | 'hint'> {
  return {
    code: 'TB_EXPERIMENT_DUPLICATE_LEVEL',
    message: `factors.${factor}: ${JSON.stringify(level)} is level ${first + 1} already`,
    hint: 'remove one; `repetitions` measures a level several times',
  };
}

function cellsOf(
  experiment: ExperimentFile,
  document: ExperimentDocument,
  { choices, tracks, experiment: { file } }: ExperimentInputs,
  studies: readonly Study[],
  load: (levels: Record<string, FactorLevel>) => LoadedTopology,
): { cells: ExperimentCell[]; omitted: OmittedCell[] } {
  const omitted = new Map<string, OmittedCell>();
  // Cells that differ only in the experiment, e.g. in rates, share one graph.
  const loaded = new Map<string, LoadedTopology>();
  const cells = narrowCells(factorialCells(experiment.factors), choices.only ?? {}).flatMap((levels) => {
    const topologyLevels = topologyLevelsOf(levels);
    const key = cellKey(topologyLevels);
    const { graph } = loaded.get(key) ?? load(topologyLevels);
    if (!graph) return [];
    loaded.set(key, { graph, problems: [] });
    const changed = Object.entries(levels).reduce<ExperimentDocument>(
      (at, [factor, level]) => withLevel(at, factor, level),
      document,
    );
    const { value: settings } = checkValue(experimentFile, changed);
    if (!settings)
      throw new TopoBenchError('TB_EXPERIMENT_UNKNOWN_LEVEL', `${file}: these levels do not go together: ${key}`);
    const study = studyOf(settings, studies);
    const why = study.omits?.(settings, experiment.factors);
    if (why === undefined) return [{ ...buildCell(levels, settings, graph, study), ...(tracks && { tracks }) }];
    omitted.set(why.message, why);
    return [];
  });
  return { cells, omitted: [...omitted.values()] };
}

function omittedCells(omitted: OmittedCell, place: SourceLocation): Problem {
  const hint = 'this is no fault: the other cells are measured';
  return { ...place, ...omitted, severity: 'warning', hint };
}

function noCells({ code }: OmittedCell, place: SourceLocation): Problem {
  const hint = 'the warnings have the reasons: change the levels, or the choice of --only';
  return { ...place, code, message: 'no cell is left to measure', hint };
}

/** @throws TopoBenchError `TB_OVERRIDE_INVALID` for a level that varies a topology */
function withoutTopology(graph: Graph, levels: Readonly<Record<string, FactorLevel>>): LoadedTopology {
  const [name] = Object.keys(levels);
  if (name === undefined) return { graph, problems: [] };
  throw new TopoBenchError('TB_OVERRIDE_INVALID', `${name} varies a topology, and the experiment has none`, {
    hint: `leave out ${name}`,
  });
}

function isMap(value: unknown): value is ExperimentDocument {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
