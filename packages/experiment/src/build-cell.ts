/** A cell of an experiment with everything that follows from its levels. */

import type { ExperimentFile } from '@topo-bench/core/schema/experiment';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { type DeploymentPlan, planDeployment } from '@topo-bench/deployment';
import { flowServices, type Graph } from '@topo-bench/topology';
import { cellKey } from './cells.ts';
import { shortFactorName } from './factor-names.ts';
import { transferLevels, withTransferTable } from './flight/served-table.ts';

export interface ExperimentCell {
  /** Architecture, services and rate (or store, workload and connections) first, whether they vary or not, then the other factors. */
  levels: FactorLevels;
  /** The experiment with the levels of this cell. */
  settings: ExperimentFile;
  graph: Graph;
  plan: DeploymentPlan;
  /** Cells of the same deployment can run one after another on the same processes. */
  deployment: string;
}

export function buildCell(levels: FactorLevels, settings: ExperimentFile, given: Graph): ExperimentCell {
  const graph = settings.flight ? withTransferTable(given, settings.flight) : given;
  const usual = usualOf(settings, graph);
  const all = { ...usual, ...others(levels, Object.keys(usual)) };
  return { levels: all, settings, graph, plan: planDeployment(graph), deployment: deploymentOf(settings, graph, all) };
}

function usualOf(settings: ExperimentFile, graph: Graph): FactorLevels {
  if (settings.flight) return transferLevels(settings.flight);
  return settings.persistence ? storeLevels(settings, graph) : usualLevels(settings, graph);
}

/** What every table of a persistence experiment has columns for. */
function storeLevels({ persistence, load }: ExperimentFile, { services }: Graph): FactorLevels {
  return {
    store: services.find((service) => service.persistence)?.persistence?.store ?? '',
    workload: persistence?.workload ?? '',
    ...(load.driver === 'open' ? { rate: load.rate } : { connections: load.connections }),
  };
}

/** What every table of results has columns for. A closed model has no rate; its load is the number of connections. */
function usualLevels({ load }: ExperimentFile, { enforcement, flow }: Graph): FactorLevels {
  const { architecture, routers } = enforcement;
  return {
    architecture: architecture === 'dynamic-router' ? `dynamic-router-${routers}` : architecture,
    services: flowServices(flow).length,
    ...(load.driver === 'open' ? { rate: load.rate } : { 'load.connections': load.connections }),
  };
}

/** Levels of factors that are none of these, by whichever of their names. */
function others(levels: FactorLevels, usual: readonly string[]): FactorLevels {
  const known = new Set(usual.map(shortFactorName));
  return Object.fromEntries(Object.entries(levels).filter(([factor]) => !known.has(shortFactorName(factor))));
}

/** Equal for cells whose processes are the same: all levels but those that change the load alone. */
function deploymentOf({ deploy, traceHops, load }: ExperimentFile, graph: Graph, levels: FactorLevels): string {
  if (deploy === 'fresh') return cellKey(levels);
  const { rate: _rate, ...others } = levels;
  const ofProcesses = Object.entries(others).filter(
    ([factor]) => !/^(load|warmup|duration|drain|turns|validity)(\.|$)/.test(factor),
  );
  return cellKey({ ...Object.fromEntries(ofProcesses), traceHops, inFlightCap: inFlightCap(load.inFlightCap, graph) });
}

/** Open requests at most, at the generator and at the gateway: nested style holds a connection per hop and request, so fewer. */
export function inFlightCap(stated: number | undefined, { enforcement }: Graph): number {
  return stated ?? (enforcement.style === 'nested' ? 4000 : 8000);
}
