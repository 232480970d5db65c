/**
 * The backend that measures real deployments: roles started by a runner, loaded and judged by the study of the cells.
 */
import { join } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import type { Launcher } from '@topo-bench/loadgen';
import { levelsName } from '@topo-bench/results';
import type { RunnerNamed } from '@topo-bench/runners';
import type { ServerUrls } from '@topo-bench/stores/servers/connection-strings';
import type { Backend } from './backend.ts';
import { deployCell } from './deploy-cell.ts';
import { DeploymentStarts } from './deployment-starts.ts';
import { Lacks } from './lacks.ts';
import { noticesOfCells, requireRunners } from './runners-of-cells.ts';
import { checkServers, type GraphWithStores } from './stores/check-servers.ts';
import { prepareStores } from './stores/prepare-stores.ts';
import { StoreServers } from './stores/store-servers.ts';
import {
  type DeployedCell,
  type ExperimentCell,
  openTogether,
  type RunEnvironment,
  type SideSetup,
  type TestBed,
} from './study.ts';
import { StudyRuns } from './study-runs.ts';

export interface MeasuredBackendOptions {
  /** The runner of a cell, by the name in its settings. */
  runnerNamed: RunnerNamed;
  /** Where the logs of roles go. */
  logsDir: string;
  /** Starts load generators; default: processes on this host. */
  launcher?: Launcher;
  /** Connection strings of user-supplied database servers, from flags. */
  serverUrls?: ServerUrls;
  /** Address of a Flink cluster, from a flag. */
  flinkUrl?: string | undefined;
  /** For studies that start containers or pods of their own. */
  runnerOptions?: RunEnvironment['runnerOptions'];
}

export function measuredBackend({
  runnerNamed,
  logsDir,
  launcher,
  serverUrls,
  flinkUrl,
  runnerOptions,
}: MeasuredBackendOptions): Backend {
  const servers = new StoreServers({ flags: serverUrls, logsDir });
  const environment = { serverUrls: serverUrls ?? {}, flinkUrl, logsDir, ...(runnerOptions && { runnerOptions }) };
  const runs = new StudyRuns(environment);
  const starts = new DeploymentStarts();
  const runnerOf = async ({ settings, deployment }: ExperimentCell) =>
    starts.recording(await runnerNamed(settings.runner), deployment);
  return {
    source: 'measured',
    async check(cells, signal) {
      const deployed = withRoles(cells);
      await requireRunners(deployed, runnerNamed);
      for (const study of new Set(cells.map((cell) => cell.study))) {
        const own = cells.filter((cell) => cell.study === study);
        await study.require?.(own, environment);
        await (await runs.of(study))?.require(own, signal);
      }
      const lacks = new Lacks();
      await checkServers(await graphsOf(deployed, runnerNamed), lacks, { flags: serverUrls, signal });
      lacks.requireNone(cells);
    },
    notices: (cells) => noticesOfCells(withRoles(cells), runnerNamed),
    async deploy(cell, context) {
      const { signal } = context;
      const run = await runs.of(cell.study);
      if (run) return run.open(cell, context);
      const stores = await prepareStores(cell.graph, servers, await runnerNamed(cell.settings.runner), signal);
      const traceShare = cell.settings.traceHops;
      const runner = await runnerOf(cell);
      return openTestBed(await deployCell(cell, { runner, logsDir, traceShare, stores, launcher, signal }), signal);
    },
    deployTogether: (cells, context) =>
      openTogether(setupsOf(cells, logsDir), { runnerOf, launcher, first: 0 }, context),
    figuresOf: ({ deployment }) => starts.figuresOf(deployment),
    close: async () => {
      await Promise.all([runs.close(), servers.close()]);
    },
  };
}

/** Cells that a runner deploys. */
function withRoles(cells: readonly ExperimentCell[]): ExperimentCell[] {
  return cells.filter(({ study }) => !study.openRun);
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
async function openTestBed(deployed: DeployedCell, signal: AbortSignal): Promise<TestBed> {
  try {
    const { study } = deployed.cell;
    if (study.open) return await study.open(deployed, signal);
    throw new TopoBenchError('TB_INTERNAL', `a ${study.kind} study has no test bed`);
  } catch (error) {
    await deployed.deployment.stop();
    throw signal.aborted ? signal.reason : error;
  }
}

/** One per deployment, in the order of the cells. */
function setupsOf(cells: readonly ExperimentCell[], logsDir: string): SideSetup[] {
  const firstOf = new Map([...cells].reverse().map((cell) => [cell.deployment, cell]));
  return cells
    .filter((cell) => firstOf.get(cell.deployment) === cell)
    .map((cell) => ({
      cell,
      logsDir: join(logsDir, levelsName(cell.levels)),
      traceShare: cell.settings.traceHops,
    }));
}
