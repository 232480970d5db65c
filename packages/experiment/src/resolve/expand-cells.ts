/** Last stage: every combination of levels as a cell with its graph and plan, and the checks of all cells together. */
import { type Problem, type SourceLocation, TopoBenchError } from '@topo-bench/core';
import { type ExperimentFile, experimentFile } from '@topo-bench/core/schema/experiment';
import { checkValue } from '@topo-bench/topology';
import { type ExperimentCell, type OmittedCell, type Study, studyOf } from '@topo-bench/trial';
import { buildCell } from '../build-cell.ts';
import { factorialCells, narrowCells } from '../cells.ts';
import { topologyFieldsOf, withFields } from '../experiment-document.ts';
import { checkInterleaved } from '../interleaved/check-interleaved.ts';
import { fieldsOfLevels, fieldsWithoutColumn } from '../named-levels.ts';
import type { ExperimentInputs } from '../read-inputs.ts';
import { changedRules } from './changed-rules.ts';
import { checkEvents, placeOfEvents } from './check-events.ts';
import { checkNames } from './check-names.ts';
import { checkResilience } from './check-resilience.ts';
import type { OverriddenTopology } from './overridden-topology.ts';
import type { ParsedExperiment } from './parse-experiment.ts';

/**
 * @throws TopoBenchError `TB_EXPERIMENT_UNKNOWN_LEVEL` for a level of `--only` that no factor has, and for levels that
 *   do not go together
 */
export function expandCells(
  parsed: ParsedExperiment,
  experiment: ExperimentFile,
  topology: OverriddenTopology,
  { choices, files, otherRules = {} }: ExperimentInputs,
  studies: readonly Study[],
): { cells: ExperimentCell[]; problems: Problem[] } {
  const problems: Problem[] = [];
  const omitted = new Map<string, OmittedCell>();
  const { factors } = parsed.document;
  const withoutColumn = fieldsWithoutColumn(factors);
  const cells = narrowCells(factorialCells(experiment.factors), choices.only ?? {}).flatMap((levels) => {
    const fields = fieldsOfLevels(factors, levels);
    const ofTopology = topologyFieldsOf(fields);
    const { graph, problems: found } = topology.at(ofTopology);
    problems.push(...found);
    if (!graph) return [];
    const settings = settingsOf(fields, parsed);
    const study = studyOf(settings, studies);
    const why = study.omits?.(settings, experiment.factors);
    if (why === undefined) {
      const cell = buildCell(levels, settings, graph, study, withoutColumn);
      if (settings.events.every((event) => !('rules' in event))) return [{ ...cell, ...(files && { files }) }];
      const place = (index: number): SourceLocation => placeOfEvents(cell, parsed, index);
      const changed = changedRules(cell, ofTopology, topology, otherRules, place);
      problems.push(...changed.problems);
      const changedGraphs = changed.graphs.map((one) => study.graphOf?.(one, settings) ?? one);
      return [{ ...cell, changedRules: changedGraphs, ...(files && { files }) }];
    }
    omitted.set(why.message, why);
    return [];
  });
  const { locate } = parsed.source;
  return {
    cells,
    problems: [
      ...problems,
      ...checkNames(cells, parsed),
      ...omissions([...omitted.values()], cells, locate(['factors'])),
      ...[...new Set(cells.map(({ study }) => study))].flatMap((study) =>
        study.check(
          cells.filter((cell) => cell.study === study),
          (path) => locate(path),
        ),
      ),
      ...checkInterleaved(cells, locate(['deploy'])),
      ...checkEvents(cells, parsed),
      ...checkResilience(cells, parsed),
    ],
  };
}

function settingsOf(fields: Readonly<Record<string, unknown>>, { document, source }: ParsedExperiment): ExperimentFile {
  const { value } = checkValue(experimentFile(), withFields(document, fields));
  if (value) return value;
  const names = JSON.stringify(fields);
  throw new TopoBenchError('TB_EXPERIMENT_UNKNOWN_LEVEL', `${source.file}: these levels do not go together: ${names}`);
}

/** Combinations that their study leaves out, and the error when these are all. */
function omissions(
  omitted: readonly OmittedCell[],
  cells: readonly ExperimentCell[],
  place: SourceLocation,
): Problem[] {
  const hint = 'this is no fault: the other cells are measured';
  const warnings = omitted.map((one): Problem => ({ ...place, ...one, severity: 'warning', hint }));
  const [first] = omitted;
  if (cells.length > 0 || !first) return warnings;
  return [
    ...warnings,
    {
      ...place,
      code: first.code,
      message: 'no cell is left to measure',
      hint: 'the warnings have the reasons: change the levels, or the choice of --only',
    },
  ];
}
