/** The load of a repetition and its processors, as a simulation takes them. */
import { processesFor } from '@topo-bench/loadgen';
import { type Cluster, clusterOf, oneHost, type ReplicationSetup } from '@topo-bench/simulator';
import type { SimulatedMachine } from '@topo-bench/study-kit/simulated-machine';
import type { ExperimentCell } from '@topo-bench/trial';
import { scheduleUs } from '@topo-bench/workload';
import { generatorOf } from '../measure-repetition.ts';

type SimulatedLoad = Pick<
  ReplicationSetup,
  'scheduleUs' | 'requestOf' | 'repetition' | 'durationUs' | 'drainUs' | 'servedBefore'
>;

/** @param servedBefore requests that each process served before; default: those of the warm-up */
export function loadOf(cell: ExperimentCell, repetition: number, servedBefore?: number): SimulatedLoad {
  const { load, duration: durationUs, drain: drainUs, seed, warmup } = cell.settings;
  const schedule = { arrivals: load.arrivals, rateRps: load.rate, durationUs, seed, repetition, urls: [''] };
  return {
    ...{ scheduleUs: scheduleUs(schedule), requestOf: generatorOf(cell, repetition), repetition },
    ...{ durationUs, drainUs, servedBefore: servedBefore ?? warmup.requests },
  };
}

export type Machine = Pick<SimulatedMachine, 'cluster'> & {
  calibration: Pick<SimulatedMachine['calibration'], 'name' | 'cores'>;
};

/** The processors of a cell, and the processes of its generators on them. */
export function machineOf(
  { graph, settings }: ExperimentCell,
  { calibration, cluster }: Machine,
): Pick<ReplicationSetup, 'cluster'> & { generators: number } {
  const { load } = settings;
  const hosts: Cluster = cluster ? clusterOf(cluster, graph) : oneHost(calibration.name, calibration.cores, graph);
  const hostOfGenerators = hosts.hostOfGenerators ?? (hosts.hostOfNode[graph.gateways[0].node] as number);
  const { cores } = hosts.hosts[hostOfGenerators] as { cores: number };
  return { cluster: hosts, generators: load.generators * (load.processes ?? processesFor(load.rate, cores)) };
}
