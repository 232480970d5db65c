/** The laboratory that measures real deployments: roles started by a runner, load from generator processes. */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { DeliveryKeys, TopoBenchError } from '@topo-bench/core';
import { deliveryKeys, roleConfigs } from '@topo-bench/deployment';
import { levelsName } from '@topo-bench/results';
import type { Deployment, Runner } from '@topo-bench/runners';
import type { ServerUrls } from '@topo-bench/stores/servers/connection-strings';
import { type ExperimentCell, inFlightCap } from './build-cell.ts';
import { requireAccess } from './flight/transfer-access.ts';
import { TransferBench } from './flight/transfer-bench.ts';
import { InterleavedBench } from './interleaved/interleaved-bench.ts';
import type { Seat } from './interleaved/side.ts';
import type { Bench, Laboratory, MeasureContext, MeasuredRepetition } from './laboratory.ts';
import { measureRepetition } from './measure-repetition.ts';
import { storeBench } from './persistence/deploy-store.ts';
import { prepareStores, requireServers, storeUrls } from './persistence/prepare-stores.ts';
import { StoreServers } from './persistence/store-servers.ts';
import { awaitIdle, type WarmUpRecord, warmUpDeployment } from './warm-up-deployment.ts';

export interface LocalLaboratoryOptions {
  runner: Runner;
  /** Where the logs of roles go. */
  logsDir: string;
  /** Built script of generator processes, when it is not in its usual place. */
  workerPath?: string;
  /** Connection strings of the user's own database servers, from flags. */
  serverUrls?: ServerUrls;
}

export function localLaboratory({ runner, logsDir, workerPath, serverUrls }: LocalLaboratoryOptions): Laboratory {
  const servers = new StoreServers(serverUrls);
  return {
    source: 'measured',
    async check(cells) {
      await requireAccess(cells);
      await requireServers(
        cells.map(({ graph }) => graph),
        serverUrls,
      );
    },
    async deploy(cell, signal) {
      const { graph, plan, settings } = cell;
      const secret = randomBytes(32).toString('base64url');
      const stores = await prepareStores(graph, servers, signal);
      const configs = roleConfigs({
        graph,
        plan,
        seed: settings.seed,
        secret,
        traceShare: settings.traceHops,
        inFlightCap: inFlightCap(settings.load.inFlightCap, graph),
        storeUrls: storeUrls(stores),
      });
      const deployment = await runner.start(configs, { logsDir, signal });
      if (settings.flight) return TransferBench.open({ deployment, configs, transfer: settings.flight, workerPath, signal });
      if (!settings.persistence) return new DeployedBench(deployment, deliveryKeys(secret), workerPath);
      const { persistence } = settings;
      const classes = graph.requestClasses;
      return storeBench({ deployment, configs, stores, classes, persistence, workerPath }).catch(async (error) => {
        await deployment.stop();
        throw error;
      });
    },
    deployTogether: (cells, context) => InterleavedBench.open(seatsOf(cells, logsDir), { runner, workerPath, first: 0 }, context),
    close: () => servers.close(),
  };
}

/** One per deployment, in the order of the cells. */
function seatsOf(cells: readonly ExperimentCell[], logsDir: string): Seat[] {
  const firstOf = new Map([...cells].reverse().map((cell) => [cell.deployment, cell]));
  return cells
    .filter((cell) => firstOf.get(cell.deployment) === cell)
    .map((cell) => ({
      cell,
      logsDir: join(logsDir, levelsName(cell.levels)),
      traceShare: cell.settings.traceHops,
    }));
}

class DeployedBench implements Bench {
  readonly #deployment: Deployment;
  readonly #keys: DeliveryKeys;
  readonly #workerPath: string | undefined;
  readonly #deaths: TopoBenchError[] = [];
  #warmUp: WarmUpRecord | undefined;
  #measurements = 0;
  #backlog = false;

  constructor(deployment: Deployment, keys: DeliveryKeys, workerPath: string | undefined) {
    this.#deployment = deployment;
    this.#keys = keys;
    this.#workerPath = workerPath;
    deployment.onDeath((error) => this.#deaths.push(error));
  }

  async recover({ settings }: ExperimentCell, { onPhase, signal }: MeasureContext): Promise<boolean> {
    if (this.#deaths.length > 0) return false;
    if (!this.#backlog) return true;
    onPhase('drain', 'what is left of the backlog');
    return awaitIdle(this.#deployment, settings.drain, signal);
  }

  async measure(cell: ExperimentCell, repetition: number, context: MeasureContext): Promise<MeasuredRepetition> {
    try {
      const measured = await this.#measure(cell, repetition, context);
      this.#backlog = measured.entry.unfinished > 0;
      return measured;
    } catch (error) {
      // A dead role is the reason for whatever went wrong after it.
      throw context.signal.aborted ? error : (this.#deaths[0] ?? error);
    }
  }

  async #measure(cell: ExperimentCell, repetition: number, context: MeasureContext): Promise<MeasuredRepetition> {
    if (!this.#warmUp) {
      context.onPhase('warm-up');
      this.#warmUp = await warmUpDeployment(this.#deployment, cell, context);
    }
    const { warm, ...history } = this.#warmUp;
    this.#measurements++;
    return measureRepetition({
      deployment: this.#deployment,
      deaths: this.#deaths,
      cell,
      repetition,
      warm,
      history: { rank: this.#measurements, ...history },
      workerPath: this.#workerPath,
      keys: this.#keys,
      context,
    });
  }

  close(): Promise<void> {
    return this.#deployment.stop();
  }
}
