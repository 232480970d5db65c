/** A cell of an experiment with everything that follows from its levels. */
import { cellKey, factorPath, parseArchitectureLevel, shortFactorName } from '@topo-bench/core';
import type { ExperimentFile } from '@topo-bench/core/schema/experiment';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { inFlightCap, planDeployment } from '@topo-bench/deployment';
import type { Graph } from '@topo-bench/topology';
import type { ExperimentCell, Study } from '@topo-bench/trial';

/** @param withoutColumn short names of fields that levels with names set */
export function buildCell(
  levels: FactorLevels,
  settings: ExperimentFile,
  given: Graph,
  study: Study,
  withoutColumn: ReadonlySet<string> = new Set(),
): ExperimentCell {
  const graph = study.graphOf?.(given, settings) ?? given;
  const own = Object.entries(study.levels(settings, graph));
  const usual = Object.fromEntries(own.filter(([name]) => !withoutColumn.has(shortFactorName(name))));
  const all = withoutCount({ ...usual, ...others(levels, Object.keys(usual)) }, withoutColumn);
  const deployment = deploymentOf(settings, graph, all);
  return { study, levels: all, given: levels, settings, graph, plan: planDeployment(graph), deployment };
}

/** Levels of other factors, by any of their names. */
function others(levels: FactorLevels, usual: readonly string[]): FactorLevels {
  const known = new Set(usual.map(shortFactorName));
  return Object.fromEntries(Object.entries(levels).filter(([factor]) => !known.has(shortFactorName(factor))));
}

/** With the number of routers as a factor or in named levels, the level of the architecture does not repeat it. */
function withoutCount(levels: FactorLevels, withoutColumn: ReadonlySet<string>): FactorLevels {
  const names = [...Object.keys(levels).map(shortFactorName), ...withoutColumn];
  const isFactor = names.includes('routers');
  const architecture = parseArchitectureLevel(levels.architecture)?.architecture;
  return isFactor && architecture !== undefined ? { ...levels, architecture } : levels;
}

const ofLoadAlone = /^(load|warmup|duration|drain|turns|validity)(\.|$)/;

/** Equal for cells with the same processes: all levels but those that change only the load. */
function deploymentOf({ deploy, traceHops, load }: ExperimentFile, graph: Graph, levels: FactorLevels): string {
  if (deploy === 'fresh') return cellKey(levels);
  const ofProcesses = Object.entries(levels).filter(([factor]) => !ofLoadAlone.test(factorPath(factor)));
  return cellKey({ ...Object.fromEntries(ofProcesses), traceHops, inFlightCap: inFlightCap(load.inFlightCap, graph) });
}
