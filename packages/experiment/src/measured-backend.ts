/**
 * The backend that measures real deployments: roles started by a runner, loaded and judged by the study of the cells.
 */
import { join } from 'node:path';
import type { Launcher } from '@topo-bench/loadgen';
import { levelsName } from '@topo-bench/results';
import { type Runner, requireRunner } from '@topo-bench/runners';
import type { ServerUrls } from '@topo-bench/stores/servers/connection-strings';
import type { Backend } from './backend.ts';
import { deployCell } from './deploy-cell.ts';
import { prepareStores, requireServers } from './stores/prepare-stores.ts';
import { StoreServers } from './stores/store-servers.ts';
import { type DeployedCell, type ExperimentCell, openTogether, type SideSetup, type TestBed } from './study.ts';

export interface MeasuredBackendOptions {
  runner: Runner;
  /** Where the logs of roles go. */
  logsDir: string;
  /** Starts load generators; default: processes on this host. */
  launcher?: Launcher;
  /** Connection strings of user-supplied database servers, from flags. */
  serverUrls?: ServerUrls;
}

export function measuredBackend({ runner, logsDir, launcher, serverUrls }: MeasuredBackendOptions): Backend {
  const servers = new StoreServers(serverUrls);
  return {
    source: 'measured',
    async check(cells) {
      await requireRunner(runner, [...new Set(cells.map(({ plan }) => plan))]);
      for (const study of new Set(cells.map((cell) => cell.study))) {
        await study.require?.(cells.filter((cell) => cell.study === study));
      }
      await requireServers(
        cells.map(({ graph }) => graph),
        serverUrls,
      );
    },
    async deploy(cell, signal) {
      const stores = await prepareStores(cell.graph, servers, signal);
      const traceShare = cell.settings.traceHops;
      return openTestBed(await deployCell(cell, { runner, logsDir, traceShare, stores, launcher, signal }), signal);
    },
    deployTogether: (cells, context) => openTogether(setupsOf(cells, logsDir), { runner, launcher, first: 0 }, context),
    close: () => servers.close(),
  };
}

/** Stops the deployment if the study cannot open a test bed on it. */
async function openTestBed(deployed: DeployedCell, signal: AbortSignal): Promise<TestBed> {
  try {
    return await deployed.cell.study.open(deployed, signal);
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
