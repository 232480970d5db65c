/** A cell of an experiment with everything that follows from its levels. */
import type { ExperimentFile } from '@topo-bench/core/schema/experiment';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { type DeploymentPlan, flowServices, type Graph, planDeployment } from '@topo-bench/topology';
import { cellKey } from './cells.ts';

export interface ExperimentCell {
  /** Architecture, services and rate first, whether they vary or not, then the other factors. */
  levels: FactorLevels;
  /** The experiment with the levels of this cell. */
  settings: ExperimentFile;
  graph: Graph;
  plan: DeploymentPlan;
  /** Cells of the same deployment can run one after another on the same processes. */
  deployment: string;
}

export function buildCell(levels: FactorLevels, settings: ExperimentFile, graph: Graph): ExperimentCell {
  const all = settings.persistence
    ? storeLevels(levels, settings, graph)
    : { ...usualLevels(settings, graph), ...withoutUsual(levels) };
  return { levels: all, settings, graph, plan: planDeployment(graph), deployment: deploymentOf(settings, graph, all) };
}

/** Store, workload and load first, by short names, whether they vary or not; then what else varies. */
function storeLevels(levels: FactorLevels, { persistence, load }: ExperimentFile, { services }: Graph): FactorLevels {
  const others = Object.entries(levels).filter(
    ([factor]) => !/\.persistence\.store$|^persistence\.workload$|^load\.connections$|^rate$/.test(factor),
  );
  return {
    store: services.find((service) => service.persistence)?.persistence?.store ?? '',
    workload: persistence?.workload ?? '',
    ...(load.driver === 'open' ? { rate: load.rate } : { connections: load.connections }),
    ...Object.fromEntries(others),
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

function withoutUsual(levels: FactorLevels): FactorLevels {
  const { architecture: _architecture, services: _services, rate: _rate, ...others } = levels;
  return others;
}

/** Equal for cells whose processes are the same: all levels but those that change the load alone. */
function deploymentOf({ deploy, traceHops, load }: ExperimentFile, graph: Graph, levels: FactorLevels): string {
  if (deploy === 'fresh') return cellKey(levels);
  const { rate: _rate, ...others } = levels;
  const ofProcesses = Object.entries(others).filter(([factor]) => !/^(load|warmup|duration|drain|validity)(\.|$)/.test(factor));
  return cellKey({ ...Object.fromEntries(ofProcesses), traceHops, inFlightCap: inFlightCap(load.inFlightCap, graph) });
}

/** Open requests at most, at the generator and at the gateway: nested style holds a connection per hop and request, so fewer. */
export function inFlightCap(stated: number | undefined, { enforcement }: Graph): number {
  return stated ?? (enforcement.style === 'nested' ? 4000 : 8000);
}
