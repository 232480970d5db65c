/**
 * A deployed service with columns: every measurement moves its table, after a warm-up from the process that measures.
 */
import { SeededTable } from '@topo-bench/columns';
import type { DeploymentDocuments } from '@topo-bench/core';
import { type RoleStats, TopoBenchError } from '@topo-bench/core';
import type { ArrowService } from '@topo-bench/core/schema/arrow';
import type { Host } from '@topo-bench/core/schema/result';
import {
  type DeployedCell,
  type ExperimentCell,
  type MeasureContext,
  type MeasuredRepetition,
  type ProcessUse,
  ProcessWatch,
  readingOf,
  type TestBed,
  type Usages,
} from '@topo-bench/experiment';
import { type HostUse, sumUsage } from '@topo-bench/host';
import {
  driverNamed,
  type GroupReading,
  type GroupUse,
  type Launcher,
  type LoadResult,
  LoadWatch,
  loadJob,
  loadOf,
} from '@topo-bench/loadgen';
import { type FlightAccess, tryAccess } from '@topo-bench/loadgen/flight/flight-access';
import type { TransferRequest } from '@topo-bench/loadgen/flight/transfer';
import { rulesOf } from '@topo-bench/oracle';
import type { DeployedRole, Deployment } from '@topo-bench/runners';
import { targetFacts } from '@topo-bench/topology';
import { flightAccess } from './access.ts';
import { assembleTransferCell } from './cell.ts';
import { type RightDecisions, rightDecisions, wrongDecisions } from './right-decisions.ts';
import { transferSamples } from './samples.ts';

/** What a transfer showed. */
export interface TransferMeasurement {
  load: LoadResult;
  use: Readonly<Record<string, GroupUse>>;
  host: HostUse | undefined;
  /** Of `service`. */
  processes: Record<string, ProcessUse>;
  /** Of the service; undefined when it died. */
  stats: RoleStats | undefined;
  deaths: readonly TopoBenchError[];
}

/** The service at the other end. */
export interface ServedTable {
  role: DeployedRole & { flightUrl: string };
  table: ArrowService;
  /** Seed of the table. */
  seed: number;
  /** That hold for the service; undefined where nothing is enforced. */
  rules: number | undefined;
  /** Columns that these rules may put pseudonyms in. */
  textColumns: string[];
  pseudonymKey: string;
  digestKey: string;
  clientToken: string;
}

/** How long logging in may take. */
const maxEntryMs = 30_000;

export class TransferTestBed implements TestBed {
  readonly #deployment: Deployment;
  readonly #served: ServedTable;
  readonly #launcher: Launcher | undefined;
  readonly #deaths: TopoBenchError[] = [];
  #measurements = 0;

  private constructor({ deployment, documents, launcher }: DeployedCell) {
    this.#deployment = deployment;
    this.#served = servedTable(deployment, documents);
    this.#launcher = launcher;
    deployment.onDeath((error) => this.#deaths.push(error));
  }

  /** @throws TopoBenchError `TB_LOAD_ACCESS`; `TB_INTERNAL` when no role serves columns over Flight */
  static async open(deployed: DeployedCell, signal: AbortSignal): Promise<TransferTestBed> {
    const bed = new TransferTestBed(deployed);
    const { role, table, clientToken } = bed.#served;
    const { flight } = deployed.cell.settings;
    const access = flight && table.flight && withToken(flightAccess(flight, table.flight), table, clientToken);
    if (access && flight.protocol === 'flight') {
      await tryAccess(role.flightUrl, access, AbortSignal.any([signal, AbortSignal.timeout(maxEntryMs)]));
    }
    return bed;
  }

  get hosts(): readonly Host[] {
    return this.#deployment.hosts;
  }

  async recover(): Promise<boolean> {
    return this.#deaths.length === 0;
  }

  async measure(cell: ExperimentCell, repetition: number, context: MeasureContext): Promise<MeasuredRepetition> {
    const right = await this.#rightDecisions(cell);
    const request = this.#request(cell, right);
    const rank = ++this.#measurements;
    try {
      const measured = await this.#load(cell, request, repetition, context);
      context.onPhase('check');
      const samples = transferSamples(measured.load, request.operation);
      const wrong = right ? wrongOf(right, cell, measured) : 0;
      const history = { rank };
      const entry = assembleTransferCell({
        ...measured,
        cell,
        repetition,
        history,
        samples,
        wrong,
        served: this.#served,
      });
      return { entry, samples, requests: [], spans: [] };
    } catch (error) {
      // A dead role is the reason for whatever went wrong after it.
      throw context.signal.aborted ? error : (this.#deaths[0] ?? error);
    }
  }

  close(): Promise<void> {
    return this.#deployment.stop();
  }

  async #load(
    { settings }: ExperimentCell,
    request: TransferRequest,
    repetition: number,
    { signal, onPhase }: MeasureContext,
  ): Promise<TransferMeasurement> {
    const { role } = this.#served;
    const deployment = this.#deployment;
    const job = loadJob({
      ...loadOf(settings),
      urls: [request.protocol === 'flight' ? role.flightUrl : `${role.url}/arrow`],
      request,
      repetition,
      durationUs: settings.flight?.timeout ?? 0,
      drainUs: 0,
      rateRps: 0,
      connections: request.streams,
      inFlightCap: request.streams,
      keepAwake: false,
    });
    const watch = new LoadWatch({
      groups: (options) => this.#readings(options),
      detachedCpuUs: () => deployment.detachedCpuUs(),
    });
    // The streams of the load warm the service up: there is no idle time before it.
    const processes = new ProcessWatch(() => this.#usage());
    onPhase('warm-up');
    try {
      const load = await driverNamed('flight', this.#launcher).run(job, signal, {
        onReady: () => processes.ready(signal, () => deployment.reset()),
        onStart: () => {
          onPhase('load');
          watch.begin();
        },
        onLoadEnd: () => {
          watch.end();
          onPhase('collect');
        },
        onDrained: () => processes.drained(),
      });
      const used = await processes.use();
      const stats = this.#deaths.length > 0 ? [] : await deployment.stats();
      const own = stats.find(({ name }) => name === role.name);
      const { use, host } = await watch.watchings();
      return { load, use, host, processes: used, stats: own, deaths: this.#deaths };
    } finally {
      watch.end();
    }
  }

  async #usage(): Promise<Usages> {
    const role = (await this.#deployment.usage()).find(({ name }) => name === this.#served.role.name)?.process;
    const own = role && sumUsage([role]);
    return own ? { service: own } : {};
  }

  async #readings(options: { pss: boolean }): Promise<Record<string, GroupReading>> {
    const service = readingOf(await this.#deployment.usage(options), this.#served.role.name);
    return service ? { service } : {};
  }

  /** Undefined where nothing is enforced. */
  async #rightDecisions({ graph }: ExperimentCell): Promise<RightDecisions | undefined> {
    const { role, table, seed, rules } = this.#served;
    if (rules === undefined) return undefined;
    const service = graph.services.find(({ name }) => name === role.name);
    const target = targetFacts(graph, service?.index ?? 0);
    return rightDecisions(new SeededTable(table, role.name, seed), table, rulesOf(graph), target);
  }

  #request({ settings: { flight, warmup } }: ExperimentCell, right: RightDecisions | undefined): TransferRequest {
    if (!flight) throw new TopoBenchError('TB_INTERNAL', 'the cell moves no table');
    const { role, table, seed, textColumns, pseudonymKey, digestKey, clientToken } = this.#served;
    const { protocol, operation, streams } = flight;
    const access = table.flight && withToken(flightAccess(flight, table.flight), table, clientToken);
    return {
      kind: 'transfer',
      protocol,
      operation,
      streams,
      service: role.name,
      table,
      tableSeed: seed,
      ...(access && { access }),
      ...(right && { treatment: { treatments: right.treatments, codes: right.codes, textColumns, pseudonymKey } }),
      digestKey,
      warmup: { windowUs: warmup.window, maxUs: warmup.max, change: warmup.change },
    };
  }
}

/** With the token of clients, unless the service is open to all. */
function withToken(access: FlightAccess | undefined, { open }: ArrowService, token: string): FlightAccess | undefined {
  return open ? access : { ...access, token };
}

/** Decisions that the oracle refutes, and rows and values that are other than what the right ones leave. */
function wrongOf(
  { counts }: RightDecisions,
  { settings: { flight } }: ExperimentCell,
  measured: TransferMeasurement,
): number {
  const { stats, load } = measured;
  const delivered = load.transferred?.streams.reduce((sum, { wrong }) => sum + wrong, 0) ?? 0;
  if (!stats || !flight || load.transferred?.streams.some(({ error }) => error)) return delivered;
  // Over HTTP every stream reads the whole table.
  const times = flight.protocol === 'flight' ? 1 : flight.streams;
  const right = { effects: timesOf(counts.effects, times), byRule: timesOf(counts.byRule, times) };
  return delivered + wrongDecisions({ effects: stats.decisions, byRule: stats.columns?.byRule ?? {} }, right);
}

function timesOf<K extends string>(counts: Readonly<Record<K, number>>, times: number): Record<K, number> {
  const entries = Object.entries<number>(counts).map(([name, count]) => [name, count * times]);
  return Object.fromEntries(entries) as Record<K, number>;
}

function servedTable({ roles }: Deployment, documents: DeploymentDocuments): ServedTable {
  for (const { config, secrets } of documents.roles) {
    const { name, arrow, seed } = config;
    const { pseudonymKey, digestKey, clientToken } = secrets;
    const role = roles.find((one) => one.name === name);
    if (!arrow?.table.flight || !role?.flightUrl) continue;
    const rules = arrow.rules?.rules;
    const pointers = rules?.flatMap(({ pseudonymise }) => pseudonymise) ?? [];
    return {
      role: { ...role, flightUrl: role.flightUrl },
      table: arrow.table,
      seed,
      rules: rules?.length,
      textColumns: [...new Set(pointers.map((pointer) => pointer.slice(1)))],
      pseudonymKey,
      digestKey,
      clientToken,
    };
  }
  throw new TopoBenchError('TB_INTERNAL', 'no service of the topology serves columns over Flight');
}
