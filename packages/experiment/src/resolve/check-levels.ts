/** Third stage: every level of every factor on its own, so that a problem has the place of its level. */
import { isDeepStrictEqual } from 'node:util';
import { type FactorLevel, factorPath, type Problem } from '@topo-bench/core';
import { experimentFile } from '@topo-bench/core/schema/experiment';
import { checkValue } from '@topo-bench/topology';
import { topologyFieldsOf, withFields } from '../experiment-document.ts';
import { fieldsOfLevels, levelFields, levelNames } from '../named-levels.ts';
import { isError, ProblemList } from '../problem-list.ts';
import type { OverriddenTopology } from './overridden-topology.ts';
import type { ParsedExperiment } from './parse-experiment.ts';

type Fault = Pick<Problem, 'code' | 'message' | 'hint'>;

/** @param known problems of the files, which every level shows again */
export function checkLevels(
  { document, source }: ParsedExperiment,
  topology: OverriddenTopology,
  known: readonly Problem[],
): Problem[] {
  const { factors = {} } = document as { factors?: Record<string, unknown> };
  const problems = new ProblemList();
  const messages = new Set(known.map(({ message }) => message));
  const owners = new Map<string, string>();
  for (const { factor, field } of levelFields(factors)) {
    const same = owners.get(factorPath(field)) ?? factor;
    owners.set(factorPath(field), same);
    if (same !== factor) problems.add([{ ...source.locate(['factors', factor]), ...duplicateFactor(factor, same) }]);
  }
  for (const [factor, named] of Object.entries(factors)) {
    const levels = levelNames(named);
    const meanings = new Map<string, FactorLevel>();
    levels.forEach((level, index) => {
      const place = source.locate(['factors', factor, Array.isArray(named) ? index : String(level)]);
      const first = levels.findIndex((other) => isDeepStrictEqual(other, level));
      if (first < index) problems.add([{ ...place, ...duplicateLevel(factor, level, first) }]);
      problems.attempt(place, () => {
        const fields = fieldsOfLevels(factors, { [factor]: level });
        const { value, findings } = checkValue(experimentFile(), withFields(document, fields));
        const { graph, problems: ofGraph } = topology.at(topologyFieldsOf(fields), true);
        const ofTopology = ofGraph.filter(isError);
        const meaning = value && graph && JSON.stringify([value, graph]);
        const equal = meaning === undefined ? undefined : meanings.get(meaning);
        if (equal !== undefined && first === index) problems.add([{ ...place, ...equalLevels(factor, level, equal) }]);
        if (meaning !== undefined && equal === undefined) meanings.set(meaning, level);
        const found = [...findings, ...ofTopology].filter(({ message }) => !messages.has(message));
        problems.add(
          found.map(({ code, message, hint }) => ({ ...place, code, message, ...(hint !== undefined && { hint }) })),
        );
      });
    });
  }
  return problems.all;
}

function duplicateFactor(factor: string, same: string): Fault {
  return {
    code: 'TB_EXPERIMENT_DUPLICATE_FACTOR',
    message: `factors: ${factor} and ${same} set the same field`,
    hint: 'keep one of them, with the levels of both',
  };
}

/** Such as `1s` and `1000ms`: the same cell twice, of which a comparison shows noise. */
function equalLevels(factor: string, level: FactorLevel, other: FactorLevel): Fault & Pick<Problem, 'severity'> {
  return {
    code: 'TB_EXPERIMENT_EQUAL_LEVELS',
    message: `factors.${factor}: ${JSON.stringify(level)} is ${JSON.stringify(other)} under another name`,
    hint: 'remove one of them',
    severity: 'warning',
  };
}

function duplicateLevel(factor: string, level: FactorLevel, first: number): Fault {
  return {
    code: 'TB_EXPERIMENT_DUPLICATE_LEVEL',
    message: `factors.${factor}: ${JSON.stringify(level)} is level ${first + 1} already`,
    hint: 'remove one; `repetitions` measures a level several times',
  };
}
