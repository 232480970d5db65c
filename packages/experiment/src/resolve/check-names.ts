/** Names of factors and levels that would take a column of the results, leave out one of reports, or do nothing. */
import { factorPath, type Problem, shortFactorName } from '@topo-bench/core';
import type { ExperimentCell } from '@topo-bench/trial';
import { levelFields, namedFactors, setsFields } from '../named-levels.ts';
import type { ParsedExperiment } from './parse-experiment.ts';

/** Columns next to those of factors, in tables of repetitions and requests. */
const columns = new Set([
  ...['run', 'source', 'side', 'repetition', 'valid', 'id', 'class', 'origin', 'status', 'outcome'],
  ...['rule', 'error', 'hops', 'hopsBetweenNodes', 'exposureBytes', 'steps', 'delivered', 'copies'],
  ...['planned', 'invalid', 'reasons', 'flags', 'discarded', 'completed', 'refused', 'unfinished'],
  ...['allow', 'deny', 'redact', 'reroute'],
]);

/** Fields that all levels of a run share. */
const ofWholeRun = ['name', 'topology', 'set', 'repetitions', 'deploy', 'seed'];

/** Without these, reports of requests through the gateway lack nothing. Reports of other kinds read them as numbers. */
const mayBeLeftOut = ['rate', 'services', 'connections'];

export function checkNames(cells: readonly ExperimentCell[], { document, source }: ParsedExperiment): Problem[] {
  const named = namedFactors(document.factors);
  if (Object.keys(named).length === 0) return [];
  const firsts = [...new Map(cells.map((cell) => [cell.study, cell])).values()];
  const usual = firsts.flatMap(({ study, settings, graph }) =>
    Object.keys(study.levels(settings, graph)).map((name) => ({ name: shortFactorName(name), study })),
  );
  const isUsual = (name: string): boolean => usual.some((one) => one.name === shortFactorName(name));
  const isNeeded = (name: string): boolean =>
    usual.some(
      ({ name: own, study }) =>
        own === shortFactorName(name) && !(study.interval === 'rtt' && mayBeLeftOut.includes(own)),
    );
  const problem = (path: readonly (string | number)[], message: string, hint: string): Problem => ({
    ...source.locate(path, 'key'),
    ...{ code: 'TB_EXPERIMENT_LEVEL_NAMES', message, hint },
  });
  return [
    ...Object.entries(named).flatMap(([factor, levels]) => {
      const path = ['factors', factor];
      if (setsFields(factor, levels) && columns.has(factor))
        return problem(path, `factors: ${factor} is a column of the results`, 'choose another name');
      if (setsFields(factor, levels) || !isUsual(factor)) return [];
      return problem(path, `factors.${factor}: every table has its levels, without names`, 'write a list of levels');
    }),
    ...levelFields(document.factors).flatMap(({ factor, field, path }) => {
      if (!(factor in named)) return [];
      if (ofWholeRun.includes(field))
        return problem(path, `${field} is one for all levels`, 'write each field that differs, e.g. `work: 12ms`');
      const held = usual.find(({ name }) => factorPath(name).startsWith(`${factorPath(field)}.`))?.name;
      if (held !== undefined)
        return problem(
          path,
          `${field} has ${held}, a column of every table`,
          `set its fields one by one, e.g. ${held}`,
        );
      if (factor === field || !isNeeded(field)) return [];
      return problem(path, `${field} is a column of every table`, `make it a factor next to ${factor}`);
    }),
  ];
}
