/** First stage: the text of an experiment with the choices in it, read by its schema. */
import type { FactorLevel, Problem } from '@topo-bench/core';
import { type ExperimentFile, experimentFile } from '@topo-bench/core/schema/experiment';
import { checkSetVariables, checkValue, parseSource, problemsOf, type SourceDocument } from '@topo-bench/topology';
import { checkSize } from '../check-size.ts';
import { type ExperimentDocument, withChoices } from '../experiment-document.ts';
import type { ExperimentInputs } from '../read-inputs.ts';

export interface ParsedExperiment {
  /** The text as written, for places of problems. */
  source: SourceDocument;
  /** With the choices. */
  document: ExperimentDocument;
  /** Choices that are fields of the topology. */
  topologyLevels: Readonly<Record<string, FactorLevel>>;
  /** Absent when a field is faulty. */
  experiment?: ExperimentFile;
  /** Fields of the topology that the file sets; those that can be read, when other fields are faulty. */
  set: Readonly<Record<string, unknown>>;
  problems: readonly Problem[];
}

/** @throws TopoBenchError `TB_OVERRIDE_UNKNOWN_FIELD` for a choice that is no field */
export function parseExperiment(inputs: ExperimentInputs): ParsedExperiment {
  const source = parseSource(inputs.experiment);
  const asWritten = source.value as ExperimentDocument;
  const nothing = { source, document: asWritten, topologyLevels: {}, set: {} };
  if (source.problems.length > 0) return { ...nothing, problems: source.problems };

  const { document: chosen, topologyLevels } = isMap(source.value)
    ? withChoices(source.value, inputs.choices)
    : { document: asWritten, topologyLevels: {} };
  const document = inputs.files?.completed(chosen, inputs.choices.set ?? {}) ?? chosen;
  const { value: experiment, partial, findings } = checkValue(experimentFile(), document);
  return {
    source,
    document,
    topologyLevels,
    ...(experiment && { experiment }),
    set: (experiment ?? partial)?.set ?? {},
    problems: [
      ...problemsOf([...findings, ...checkSetVariables(document, [], source)], source),
      ...(experiment ? checkSize(experiment.factors, experiment.repetitions, source) : []),
    ],
  };
}

function isMap(value: unknown): value is ExperimentDocument {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
