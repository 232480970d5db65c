/**
 * A deployed service with columns: every measurement moves its table, after a warm-up from the process that measures.
 */
import { SeededTable } from '@topo-bench/columns';
import { type RoleStats, TopoBenchError } from '@topo-bench/core';
import type { Host } from '@topo-bench/core/schema/result';
import {
  driverNamed,
  type GroupReading,
  type Launcher,
  loadJob,
  loadOf,
  measureLoad,
  type SystemUse,
  type Usages,
} from '@topo-bench/loadgen';
import type { TransferRequest } from '@topo-bench/loadgen/flight/transfer';
import type { DeployedCell } from '@topo-bench/measured';
import { rulesOf } from '@topo-bench/oracle';
import type { Deployment } from '@topo-bench/runners';
import { targetFacts } from '@topo-bench/topology';
import type { MeasureContext, MeasuredRepetition, TestBed } from '@topo-bench/trial';
import { assembleTransferCell, type TransferRepetition } from './cell.ts';
import { loadAccess, type ServedTable, servedTable } from './deployed-table.ts';
import type { FlightServer } from './flight-server.ts';
import type { TransferMeasurement } from './measurement.ts';
import { openServer } from './open-server.ts';
import type { TransferExperiment, TransferTrial } from './parts.ts';
import { type RightDecisions, rightDecisions, wrongDecisions } from './right-decisions.ts';
import { transferSamples } from './samples.ts';

export class TransferTestBed implements TestBed {
  readonly #deployment: Deployment;
  readonly #served: ServedTable;
  readonly #server: FlightServer;
  readonly #launcher: Launcher | undefined;
  readonly #deaths: TopoBenchError[] = [];
  #measurements = 0;

  private constructor({ deployment, launcher }: DeployedCell, served: ServedTable, server: FlightServer) {
    this.#deployment = deployment;
    this.#served = served;
    this.#server = server;
    this.#launcher = launcher;
    deployment.onDeath((error) => this.#deaths.push(error));
    server.onDeath((error) => this.#deaths.push(error));
  }

  /**
   * @throws TopoBenchError `TB_LOAD_ACCESS`, `TB_FLIGHT_NO_SERVER`, `TB_FLIGHT_SERVER_FAILED`; `TB_INTERNAL` when no
   * role serves columns over Flight
   */
  static async open(deployed: DeployedCell, signal: AbortSignal): Promise<TransferTestBed> {
    const { cell, deployment, documents } = deployed;
    const { flight }: TransferExperiment = cell.settings;
    const served = servedTable(deployment, documents);
    const server = await openServer(flight, served, deployment, signal);
    // Another server than the service enforces nothing: the check of the experiment refuses rules with it.
    return new TransferTestBed(deployed, server.isService ? served : { ...served, rules: undefined }, server);
  }

  get hosts(): readonly Host[] {
    return this.#deployment.hosts;
  }

  async recover(): Promise<boolean> {
    return this.#deaths.length === 0;
  }

  async measure(cell: TransferTrial, repetition: number, context: MeasureContext): Promise<MeasuredRepetition> {
    const right = await this.#rightDecisions(cell);
    const request = this.#request(cell, right);
    const rank = ++this.#measurements;
    try {
      const measured = await this.#load(cell, request, repetition, context);
      context.onPhase('check');
      const samples = transferSamples(measured.load, request.operation);
      const check = right ? checkOf(right, cell, measured) : { wrong: 0, examples: [] };
      const history = { rank };
      const entry = assembleTransferCell({
        ...measured,
        cell,
        repetition,
        history,
        samples,
        check,
        served: this.#served,
      });
      return { entry, samples, requests: [], spans: [] };
    } catch (error) {
      // The death of a role causes all later errors.
      throw context.signal.aborted ? error : (this.#deaths[0] ?? error);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#server.stop(), this.#deployment.stop()]);
  }

  async #load(
    { settings }: TransferTrial,
    request: TransferRequest,
    repetition: number,
    context: MeasureContext,
  ): Promise<TransferMeasurement> {
    const { role } = this.#served;
    const [server, deployment] = [this.#server, this.#deployment];
    const job = loadJob({
      ...loadOf(settings),
      urls: [request.protocol === 'flight' ? server.flightUrl : `${role.url}/arrow`],
      request,
      repetition,
      durationUs: settings.flight?.timeout ?? 0,
      drainUs: 0,
      rateRps: 0,
      connections: request.streams,
      inFlightCap: request.streams,
      keepAwake: false,
    });
    const { load, use, host, systems } = await measureLoad({
      ...context,
      driver: driverNamed('flight', this.#launcher),
      job,
      systems: [{ usage: () => this.#usage(), reset: () => deployment.reset(), stats: () => this.#stats() }],
      // The streams of the load do, so there is no idle window.
      warmsUp: true,
      groups: (options) => this.#readings(options),
      detachedCpuUs: () => deployment.detachedCpuUs(),
    });
    const [{ processes, stats }] = systems as [SystemUse<RoleStats | undefined>];
    return { load, use, host, processes, server: server.identity, stats, deaths: this.#deaths };
  }

  async #stats(): Promise<RoleStats | undefined> {
    return this.#deaths.length > 0 ? undefined : this.#server.stats();
  }

  async #usage(): Promise<Usages> {
    const own = await this.#server.usage();
    return own ? { service: own } : {};
  }

  async #readings(options: { pss: boolean }): Promise<Record<string, GroupReading>> {
    const service = await this.#server.reading(options);
    return service ? { service } : {};
  }

  /** Undefined without enforcement. */
  async #rightDecisions({ graph }: TransferTrial): Promise<RightDecisions | undefined> {
    const { role, table, seed, rules } = this.#served;
    if (rules === undefined) return undefined;
    const service = graph.services.find(({ name }) => name === role.name);
    const target = targetFacts(graph, service?.index ?? 0);
    return rightDecisions(new SeededTable(table, role.name, seed), table, rulesOf(graph), target);
  }

  #request({ settings: { flight, warmup } }: TransferTrial, right: RightDecisions | undefined): TransferRequest {
    if (!flight) throw new TopoBenchError('TB_INTERNAL', 'the cell moves no table');
    const { role, table, seed, textColumns, pseudonymKey, digestKey } = this.#served;
    const { protocol, operation, streams } = flight;
    const access = loadAccess(flight, this.#served);
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

/** Decisions, exposure, rows and values that differ from the oracle. */
function checkOf(
  { counts }: RightDecisions,
  { settings: { flight } }: TransferTrial,
  measured: TransferMeasurement,
): TransferRepetition['check'] {
  const { stats, load } = measured;
  const delivered = load.transferred?.streams.reduce((sum, { wrong }) => sum + wrong, 0) ?? 0;
  if (!stats || !flight || load.transferred?.streams.some(({ error }) => error))
    return { wrong: delivered, examples: [] };
  // Over HTTP every stream reads the whole table.
  const times = flight.protocol === 'flight' ? 1 : flight.streams;
  const right = {
    effects: timesOf(counts.effects, times),
    byRule: timesOf(counts.byRule, times),
    exposureBytes: timesOf(counts.exposureBytes, times),
  };
  const { byRule = {}, exposureBytes = {} } = stats.columns ?? {};
  const { wrong, examples } = wrongDecisions({ effects: stats.decisions, byRule, exposureBytes }, right);
  return { wrong: delivered + wrong, examples };
}

function timesOf<K extends string>(counts: Readonly<Record<K, number>>, times: number): Record<K, number> {
  const entries = Object.entries<number>(counts).map(([name, count]) => [name, count * times]);
  return Object.fromEntries(entries) as Record<K, number>;
}
