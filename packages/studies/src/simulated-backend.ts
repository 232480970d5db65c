/** The backend that simulates: deployments on a calendar instead of processes, by a calibration. */
import { counted, describeCell, TopoBenchError } from '@topo-bench/core';
import type { Calibration } from '@topo-bench/core/schema/calibration';
import type { ClusterFile } from '@topo-bench/core/schema/cluster';
import type { SimulationRecord } from '@topo-bench/core/schema/result';
import { plannedHops } from '@topo-bench/deployment';
import { ProblemList, problemsError } from '@topo-bench/experiment/problem-list';
import { clusterProblems } from '@topo-bench/simulator';
import type { SourceDocument } from '@topo-bench/topology';
import type { Backend, Effort, ExperimentCell, TestBed } from '@topo-bench/trial';
import { studies } from './index.ts';

/** A file of the simulation, as it was read. */
export interface SimulationFile<Value> {
  value: Value;
  /** Digest of its text. */
  sha256: string;
  source: Pick<SourceDocument, 'locate'>;
}

export interface SimulationInputs {
  calibration: Omit<SimulationFile<Calibration>, 'source'>;
  cluster?: SimulationFile<ClusterFile> | undefined;
  /** As in `SimulatedMachine`; default: 2%. */
  precision?: number | undefined;
}

const usualPrecision = 0.02;

export function simulatedBackend({ calibration, cluster, precision = usualPrecision }: SimulationInputs): Backend {
  const { name, machine, cores, assumed } = calibration.value;
  const machines = { calibration: calibration.value, precision, ...(cluster && { cluster: cluster.value }) };
  const open = async (cell: ExperimentCell): Promise<TestBed> => {
    const { simulate } = studies.find(({ kind }) => kind === cell.study.kind) ?? {};
    if (!simulate) throw unsupported(cell, `a study of kind ${cell.study.kind}`);
    return simulate(cell, machines);
  };
  return {
    source: 'simulated',
    simulation: {
      ...{ calibration: name, sha256: calibration.sha256, machine, cores, assumed },
      ...(cluster && { cluster: recordOf(cluster) }),
    },
    effortOf: async () => effort,
    async check(cells) {
      for (const cell of cells) await requireSimulable(cell);
      requireSimulatedFactors(cells);
      if (cluster) requireHosts(cells, cluster);
    },
    notices: async (cells) => noticesOf(cells, calibration.value, cluster?.value),
    deploy: open,
    async deployTogether(cells) {
      const beds: { of: ExperimentCell; bed: TestBed }[] = [];
      for (const cell of cells) beds.push({ of: cell, bed: await open(cell) });
      const bedOf = ({ deployment, graph }: ExperimentCell): TestBed =>
        beds.find(({ of }) => of.deployment === deployment && of.graph === graph)?.bed as TestBed;
      return {
        measure: (measured, repetition, context) =>
          Promise.all(measured.map((cell) => bedOf(cell).measure(cell, repetition, context))),
        recover: async () => true,
        close: async () => undefined,
      };
    },
  };
}

function recordOf({ value, sha256 }: SimulationFile<ClusterFile>): NonNullable<SimulationRecord['cluster']> {
  const hosts = value.hosts.map(({ name, cores, speed }) => ({ name, cores, speed }));
  return { name: value.name, sha256, hosts };
}

/** @throws TopoBenchError `TB_SIMULATE_CLUSTER` with all nodes that do not belong together */
function requireHosts(cells: readonly ExperimentCell[], { value, source }: SimulationFile<ClusterFile>): void {
  const problems = new ProblemList();
  for (const { graph } of cells) problems.add(clusterProblems(value, graph, (...path) => source.locate(...path)));
  if (problems.hasErrors) throw problemsError(`the cluster ${value.name}`, problems.all);
}

/** Simulated events per second, a cautious figure: it only sets the first line of progress. */
const eventsPerSecond = 200_000;
const nothing = { seconds: 0, maxSeconds: 0 };

/** A simulation starts no process, so no host limits it. */
const effort: Effort = {
  remarks: [],
  bytesPerProcess: 0,
  maxProcessesOf: () => Number.POSITIVE_INFINITY,
  processesOf: () => 0,
  deployTime: () => nothing,
  loadTime({ settings, graph, plan }) {
    const events = ((settings.load.rate * settings.duration) / 1e6) * 5 * plannedHops(graph, plan).perRequest;
    return { seconds: events / eventsPerSecond, maxSeconds: events / eventsPerSecond, sharedSeconds: 0 };
  },
  onceTime: () => nothing,
};

/** @throws TopoBenchError `TB_SIMULATE_UNSUPPORTED` names the first part of the cell that cannot be simulated */
async function requireSimulable(cell: ExperimentCell): Promise<void> {
  const { study, settings, graph, plan } = cell;
  const kind = studies.find((one) => one.kind === study.kind);
  if (!kind?.simulate) throw unsupported(cell, `a study of kind ${study.kind}`);
  if (settings.load.driver !== 'open') throw unsupported(cell, `the driver ${settings.load.driver}`);
  const limited = plan.roles.find(({ limits }) => limits !== undefined);
  if (limited) throw unsupported(cell, `limits of the process ${limited.name}`);
  const user = graph.services.find((service) => service.user !== undefined);
  if (user) throw unsupported(cell, `the user-supplied service ${user.name}`);
  const requests = (settings.load.rate * settings.duration) / 1e6;
  if (requests <= maxRequests) return;
  const message = `${Math.round(requests)} requests a repetition: got ${describeCell(cell.levels)}, expected at most ${maxRequests}`;
  throw new TopoBenchError('TB_SIMULATE_UNSUPPORTED', message, {
    hint: 'lower the rate, or shorten `duration` and raise `repetitions`',
  });
}

/** Each request takes some kilobytes until its samples are written. */
const maxRequests = 500_000;

/** Fields of which the model knows nothing: equal figures for their levels would look like an answer. */
const unknownFields: Readonly<Record<string, (cell: ExperimentCell) => unknown>> = {
  runner: ({ settings }) => settings.runner,
  framework: ({ graph }) => graph.framework,
  'load.keepAwake': ({ settings }) => settings.load.keepAwake,
  'load.from': ({ settings }) => settings.load.from,
  'warmup.max': ({ settings }) => settings.warmup.max,
};

/** @throws TopoBenchError `TB_SIMULATE_UNSUPPORTED` for a factor that has no effect in a simulation */
function requireSimulatedFactors(cells: readonly ExperimentCell[]): void {
  for (const [field, levelOf] of Object.entries(unknownFields)) {
    const levels = [...new Set(cells.map(levelOf))];
    if (levels.length < 2) continue;
    const message = `the factor ${field} has no effect in a simulation: got ${levels.map(String).join(', ')}, expected one level`;
    throw new TopoBenchError('TB_SIMULATE_UNSUPPORTED', message, {
      hint: 'measure it with `topo-bench run`, or choose one level with --only',
    });
  }
}

function unsupported({ levels }: ExperimentCell, what: string): TopoBenchError {
  const message = `${what} cannot be simulated: got ${describeCell(levels)}, expected requests at a rate to services of topo-bench`;
  return new TopoBenchError('TB_SIMULATE_UNSUPPORTED', message, {
    hint: 'measure it with `topo-bench run`, or leave the level out with --only',
  });
}

/** What a simulation leaves out, one sentence each. */
function noticesOf(
  cells: readonly ExperimentCell[],
  { name, machine, cores, assumed }: Calibration,
  cluster: ClusterFile | undefined,
): string[] {
  const some = (is: (cell: ExperimentCell) => boolean): boolean => cells.some(is);
  return [
    `simulated, not measured: the calibration ${name} stands for ${machine} with ${counted(cores, 'core')}`,
    ...(cluster ? [clusterNotice(cluster)] : []),
    ...(assumed ? ['the figures of the calibration are assumptions: none was fitted to a measurement'] : []),
    ...(some(({ settings }) => settings.deploy === 'interleaved')
      ? ['each level is simulated alone: turns of deployments on one machine are not']
      : []),
    ...(some(({ graph }) => graph.framework !== 'fastify')
      ? ['the framework is not modelled: all have the costs of the calibration']
      : []),
    ...(some(({ settings }) => settings.traceHops > 0) ? ['hops are not traced in a simulation'] : []),
  ];
}

function clusterNotice({ name, hosts, generators }: ClusterFile): string {
  const all = hosts.reduce((sum, host) => sum + host.cores, 0);
  const where = generators === undefined ? 'the host of the gateway' : `the host ${generators}`;
  return `the figures stand for cluster ${name}: ${counted(hosts.length, 'host')} with ${counted(all, 'core')}, and load generators on ${where}`;
}
