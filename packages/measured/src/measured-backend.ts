/**
 * The backend that measures real deployments: roles started by a runner, loaded and judged by the study of the cells.
 */
import { join } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import type { Launcher } from '@topo-bench/loadgen';
import { levelsName } from '@topo-bench/results';
import type { RunnerNamed } from '@topo-bench/runners';
import type { ServerUrls } from '@topo-bench/stores/servers/connection-strings';
import type { Backend, ExperimentCell, TestBed } from '@topo-bench/trial';
import { deployCell } from './deploy-cell.ts';
import { DeploymentStarts } from './deployment-starts.ts';
import { measuredEffort } from './measured-effort.ts';
import type {
  DeployedCell,
  MeasuredStudy,
  RunEnvironment,
  SideSetup,
  StudyRun,
  StudyWithoutRoles,
  StudyWithRoles,
} from './measured-study.ts';
import { MissingParts } from './missing-parts.ts';
import { noticesOfCells, requireRunners } from './runners-of-cells.ts';
import { checkServers, type GraphWithStores } from './stores/check-servers.ts';
import { prepareStores } from './stores/prepare-stores.ts';
import { StoreServers } from './stores/store-servers.ts';

export interface MeasuredBackendOptions {
  /** Finds the study that measures a cell by its kind. */
  studies: readonly MeasuredStudy[];
  /** The runner of a cell, by the name in its settings. */
  runnerNamed: RunnerNamed;
  /** Where the logs of roles go. A side of a gate has a folder of its own in it, with a folder `logs`. */
  logsDir: string;
  /** Starts load generators; default: processes on this host. */
  launcher?: Launcher;
  /** Connection strings of user-supplied database servers, from flags. */
  serverUrls?: ServerUrls;
  /** Addresses of servers that only one kind of study uses, by the names of their flags. */
  addresses?: Readonly<Record<string, string>>;
  /** For studies that start containers or pods of their own. */
  runnerOptions?: RunEnvironment['runnerOptions'];
}

export function measuredBackend({
  studies,
  runnerNamed,
  logsDir,
  launcher,
  serverUrls,
  addresses = {},
  runnerOptions,
}: MeasuredBackendOptions): Backend {
  const servers = new StoreServers({ flags: serverUrls, logsDir });
  const environment = { serverUrls: serverUrls ?? {}, addresses, logsDir, ...(runnerOptions && { runnerOptions }) };
  const runs = new StudyRuns(environment);
  const starts = new DeploymentStarts();
  const runnerOf = async ({ settings, deployment }: ExperimentCell) =>
    starts.recording(await runnerNamed(settings.runner), deployment);
  const measuring = ({ study: { kind } }: ExperimentCell): MeasuredStudy => {
    const found = studies.find((study) => study.kind === kind);
    if (found) return found;
    throw new TopoBenchError('TB_INTERNAL', `no way to measure a ${kind} study`);
  };
  /** Cells that a runner deploys. */
  const withRoles = (cells: readonly ExperimentCell[]): ExperimentCell[] =>
    cells.filter((cell) => !('openRun' in measuring(cell)));
  return {
    source: 'measured',
    effortOf: (cells) => measuredEffort(cells, measuring, runnerNamed),
    async check(cells, signal) {
      const deployed = withRoles(cells);
      await requireRunners(deployed, runnerNamed);
      for (const study of new Set(cells.map(measuring))) {
        const own = cells.filter((cell) => measuring(cell) === study);
        if ('openRun' in study) await (await runs.of(study)).require(own, signal);
        else await study.require?.(own);
      }
      const missing = new MissingParts();
      await checkServers(await graphsOf(deployed, runnerNamed), missing, { flags: serverUrls, signal });
      missing.requireNone(cells);
    },
    notices: (cells) => noticesOfCells(withRoles(cells), runnerNamed),
    async deploy(cell, context) {
      const { signal } = context;
      const study = measuring(cell);
      if ('openRun' in study) return (await runs.of(study)).open(cell, context);
      const stores = await prepareStores(cell.graph, servers, await runnerNamed(cell.settings.runner), signal);
      const traceShare = cell.settings.traceHops;
      const runner = await runnerOf(cell);
      const deployed = await deployCell(cell, { runner, logsDir, traceShare, stores, launcher, signal });
      return openTestBed(study, deployed, signal);
    },
    async deployTogether(cells, context, options) {
      const study = measuring(cells[0] as ExperimentCell);
      if (study.takesTurns)
        return study.openTogether(setupsOf(cells, logsDir), { runnerOf, launcher, ...options }, context);
      throw new TopoBenchError('TB_INTERNAL', `cells of a ${study.kind} study cannot take turns`);
    },
    figuresOf: ({ deployment }) => starts.figuresOf(deployment),
    close: async () => {
      await Promise.all([runs.close(), servers.close()]);
    },
  };
}

async function graphsOf(cells: readonly ExperimentCell[], runnerNamed: RunnerNamed): Promise<GraphWithStores[]> {
  return Promise.all(
    cells.map(async (cell) => ({
      graph: cell.graph,
      cells: [cell],
      runner: await runnerNamed(cell.settings.runner),
    })),
  );
}

/** Stops the deployment if the study cannot open a test bed on it. */
async function openTestBed(study: StudyWithRoles, deployed: DeployedCell, signal: AbortSignal): Promise<TestBed> {
  try {
    return await study.open(deployed, signal);
  } catch (error) {
    await deployed.deployment.stop();
    throw signal.aborted ? signal.reason : error;
  }
}

/** One per deployment, in the order of the cells. Sides of a gate can share the name of a deployment, not a graph. */
function setupsOf(cells: readonly ExperimentCell[], logsDir: string): SideSetup[] {
  return cells
    .filter((cell, at) => at === cells.findIndex((other) => isSameDeployment(other, cell)))
    .map((cell) => ({
      cell,
      logsDir: cell.side === undefined ? join(logsDir, levelsName(cell.levels)) : join(logsDir, cell.side, 'logs'),
      traceShare: cell.settings.traceHops,
    }));
}

function isSameDeployment(one: ExperimentCell, other: ExperimentCell): boolean {
  return one.deployment === other.deployment && one.graph === other.graph;
}

/** The runs of studies that deploy no roles, opened on first use. */
class StudyRuns {
  readonly #environment: RunEnvironment;
  readonly #runs = new Map<StudyWithoutRoles, Promise<StudyRun>>();

  constructor(environment: RunEnvironment) {
    this.#environment = environment;
  }

  of(study: StudyWithoutRoles): Promise<StudyRun> {
    const run = this.#runs.get(study) ?? study.openRun(this.#environment);
    this.#runs.set(study, run);
    return run;
  }

  async close(): Promise<void> {
    const runs = await Promise.allSettled(this.#runs.values());
    this.#runs.clear();
    await Promise.all(runs.map((run) => (run.status === 'fulfilled' ? run.value.close() : undefined)));
  }
}
