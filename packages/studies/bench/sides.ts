/** Both sides of `bench:stores`: a service with its load generator, and the bare driver, over equal stores. */
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { clientToken, deploymentDocuments, planDeployment } from '@topo-bench/deployment';
import { createRunner } from '@topo-bench/runners';
import { graphOf } from '@topo-bench/topology';
import type { StoreWorkload } from '@topo-bench/workload';
import type { BareJob } from './bare-driver.ts';
import type { LoopJob } from './closed-loop.ts';
import type { Done } from './prepared.ts';

export interface RoundOf {
  workload: StoreWorkload;
  /** Each round writes other items: those of a round that has been are there already. */
  repetition: number;
  seconds: number;
}

export interface Sides {
  /** Processes of the bare driver and of the load generator. */
  pids: readonly number[];
  serviceUrl: string;
  service(round: RoundOf): Promise<Done>;
  bare(round: RoundOf): Promise<Done>;
  stop(): Promise<void>;
}

export interface SidesOptions {
  /** Databases with equal content, one per side. */
  storeUrls: { service: string; bare: string };
  /** Clients of either side. */
  concurrency: number;
  /** Connections of either side to its database. */
  connections: number;
  /** Script of the service. */
  serviceEntry: string;
  logsDir: string;
}

/** Requests or statements of either side that are made before the clock starts, per second of the round. */
const preparedPerSecond = 30_000;

export async function startSides({ storeUrls, concurrency, connections, ...options }: SidesOptions): Promise<Sides> {
  const deployment = await deploy(storeUrls.service, connections, options);
  const [bare, load] = ['bare-driver.ts', 'closed-loop.ts'].map((script) =>
    fork(fileURLToPath(new URL(script, import.meta.url)), { execArgv: ['--import', 'tsx'] }),
  ) as [ChildProcess, ChildProcess];
  const common = ({ seconds, ...round }: RoundOf) => ({
    ...round,
    seconds,
    concurrency,
    prepared: Math.ceil(preparedPerSecond * seconds),
  });
  return {
    pids: [bare, load].map(({ pid }) => pid as number),
    serviceUrl: deployment.url,
    service: (round) => {
      const { url, token } = deployment;
      return ask(load, { ...common(round), url, token } satisfies LoopJob);
    },
    bare: (round) => ask(bare, { ...common(round), url: storeUrls.bare, connections } satisfies BareJob),
    async stop() {
      for (const child of [bare, load]) if (child.connected) child.disconnect();
      await deployment.stop();
    },
  };
}

async function deploy(
  storeUrl: string,
  connections: number,
  { serviceEntry, logsDir }: Pick<SidesOptions, 'serviceEntry' | 'logsDir'>,
) {
  const persistence = { store: 'sql-indexed', pool: connections } as const;
  const graph = graphOf({
    apiVersion: 'topo-bench/v1',
    kind: 'Topology',
    name: 'bench',
    services: [{ name: 'items', persistence }],
  });
  const runner = await createRunner('local', { serviceEntry });
  const secret = randomBytes(32).toString('hex');
  const storeUrls = { items: storeUrl };
  const planned = { graph, plan: planDeployment(graph), seed: 1, secret, storeUrls };
  const deployment = await runner.start(planned.plan, (place) => deploymentDocuments({ ...planned, place }), {
    logsDir,
  });
  const url = deployment.roles.find(({ kind }) => kind === 'service')?.url ?? '';
  return { url, token: clientToken(secret), stop: () => deployment.stop() };
}

/** Rejects when the process ends instead of answering. */
function ask(process: ChildProcess, job: LoopJob | BareJob): Promise<Done> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error('a process of the bench ended'));
    process.once('exit', ended);
    process.once('message', (done) => {
      process.off('exit', ended);
      resolve(done as Done);
    });
    process.send(job);
  });
}

/**
 * Both sides take turns, and change places from round to round.
 * @param warmUpRounds rounds that do not count, for both sides alike
 * @returns answers per second of the rounds that count
 */
export async function takeTurns(
  sides: Pick<Sides, 'service' | 'bare'>,
  { warmUpRounds, rounds }: { warmUpRounds: number; rounds: number },
  roundOf: (round: number) => RoundOf,
): Promise<{ service: number[]; bare: number[] }> {
  const rates = { service: [] as number[], bare: [] as number[] };
  for (let round = -warmUpRounds; round < rounds; round++) {
    const names = round % 2 === 0 ? (['service', 'bare'] as const) : (['bare', 'service'] as const);
    for (const name of names) {
      const { done, seconds } = await sides[name](roundOf(round));
      if (round >= 0) rates[name].push(done / seconds);
    }
  }
  return rates;
}
