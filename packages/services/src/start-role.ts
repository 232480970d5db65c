/** Turns a role's configuration into the running role; loads only the framework and the rule engine that it uses. */
import { monotonicClock } from '@topo-bench/core/clock';
import { hostClock } from '@topo-bench/host';
import { centralEntityName } from '@topo-bench/topology/role-names';
import type { FlightEndpoint } from './arrow/flight-endpoint.ts';
import { controlRoutes } from './control/control-routes.ts';
import { LastSeenRing } from './control/last-seen.ts';
import { ProcessUsage } from './control/process-usage.ts';
import { RoleCounters } from './control/role-counters.ts';
import { SpanRecorder } from './control/span-recorder.ts';
import { Courier } from './executor/courier.ts';
import { Decider } from './executor/decider.ts';
import { flowRoutes } from './executor/flow-routes.ts';
import { Interpreter } from './executor/interpreter.ts';
import { callStep, EnforcedSteps, type StepRunner, workStep } from './executor/steps.ts';
import type { FullConfig } from './full-config.ts';
import { gatewayRoutes } from './gateway/gateway-routes.ts';
import { LostFlows } from './gateway/lost-flow.ts';
import { DeadlineQueue } from './hops/deadline-queue.ts';
import { HopClient } from './hops/hop-client.ts';
import { LinkDelays } from './hops/link-delay.ts';
import { frameworks } from './http/frameworks.ts';
import type { Route } from './http/http-port.ts';
import { ServiceWork } from './service/service-work.ts';
import { workRoutes } from './service/work-routes.ts';

export interface RunningRole {
  /** Where its callers send data. */
  url: string;
  /** Where its control routes are, when that is elsewhere: beside a service of the user's. */
  controlUrl?: string;
  /** Where it serves its columns over Arrow Flight. */
  flightUrl?: string;
  /** Tells it where its peers are; to be called once, before data flows. URLs of the configuration hold where none is given. */
  connect(urls: Readonly<Record<string, string>>): Promise<void>;
  /** Lets open requests finish for at most `graceMs`, then closes every connection. */
  close(graceMs: number): Promise<void>;
}

/**
 * Starts listening.
 * @param complain takes one line for the role's log
 * @param end takes the reason and an exit code when the user's service that it watches has ended
 * @throws the system's error when its address cannot be listened on; StartFailure when a service of the user's does not get ready
 */
export async function startRole(
  roleConfig: FullConfig,
  complain: (line: string) => void,
  end: (reason: string, exitCode: number) => void = complain,
): Promise<RunningRole> {
  const { userService } = roleConfig;
  // Loaded only by a role that has one.
  const user =
    userService && (await (await import('./user-service/start-user-service.ts')).startUserService(roleConfig, userService, end));
  const config = user?.config ?? roleConfig;
  const counters = new RoleCounters();
  const seen = new LastSeenRing();
  const spans = new SpanRecorder(config.name, config.traceShare, hostClock);
  const client = new HopClient(config);
  const waits = new DeadlineQueue(monotonicClock);
  const links = new LinkDelays(config.graph.links, config.node, config.seed, waits);
  const parts: Parts = { config, counters, seen, spans, client, waits, links, complain, atEnd: [] };
  const usage = new ProcessUsage();
  parts.atEnd.push(async () => usage.close());
  const control = controlRoutes(config, { counters, usage, seen, spans, client, beside: user?.observation });
  const [{ startServer }, data] = await Promise.all([frameworks[config.framework](), dataRoutes(parts)]);
  const [server, flight] = await Promise.all([startServer({ ...config.listen, routes: data, control }), flightEndpoint(parts)]);
  // Behind an enforcement point the user's service is called itself; only where nothing is enforced do callers meet its role.
  const direct = user && !carriesItsFlow(config) ? { url: user.url, controlUrl: server.url } : { url: server.url };
  return {
    ...direct,
    ...(flight && { flightUrl: flight.url }),
    connect: async (urls) => client.connect({ ...urls, ...(user && { [config.name]: user.url }) }),
    close: async (graceMs) => {
      await Promise.all([server.close(graceMs), flight?.close(graceMs), user?.service.stop(graceMs / 2)]);
      await client.close();
      await Promise.all(parts.atEnd.map((end) => end()));
    },
  };
}

function carriesItsFlow({ name, graph, responsibleFor: [own = -1] }: FullConfig): boolean {
  return graph.services[own]?.executor === name;
}

interface Parts {
  config: FullConfig;
  counters: RoleCounters;
  seen: LastSeenRing;
  spans: SpanRecorder;
  client: HopClient;
  /** All waits of the process, of links and of work. */
  waits: DeadlineQueue;
  links: LinkDelays;
  complain: (line: string) => void;
  /** What else is to be closed with the role. */
  atEnd: (() => Promise<void>)[];
}

/** Of the flow, and of the items of a service that keeps data. */
async function dataRoutes(parts: Parts): Promise<Route[]> {
  const { config, counters } = parts;
  const steps = [...(await stepRoutes(parts)), ...(await columnRoutes(parts)), ...(await guardedItems(parts))];
  const { persistence, secrets } = config;
  if (!persistence || !secrets.store) return steps;
  // Loaded only by a service that keeps data: drivers and schemas are more than all else of a role.
  const { itemRoutes } = await import('./items/item-routes.ts');
  const items = await itemRoutes(persistence.store, secrets.store, secrets.digestKey, counters);
  parts.atEnd.push(items.close);
  return [...steps, ...items.routes];
}

/** Loaded only by an enforcement point of a service that keeps data. */
async function guardedItems({ config, client, links, counters, complain }: Parts): Promise<Route[]> {
  if (!config.items) return [];
  const { guardedItemRoutes } = await import('./items/guarded-item-routes.ts');
  return guardedItemRoutes({ config, client, links, counters, complain }, config.items);
}

/** Loaded only by a service that serves columns. */
async function columnRoutes({ config, counters }: Parts): Promise<Route[]> {
  if (!config.arrow) return [];
  return (await import('./arrow/arrow-routes.ts')).arrowRoutes(config, config.arrow, counters);
}

/** Loaded only by a service that serves columns over Arrow Flight. */
async function flightEndpoint({ config, counters }: Parts): Promise<FlightEndpoint | undefined> {
  if (!config.arrow?.table.flight) return undefined;
  const { startFlight } = await import('./arrow/flight-endpoint.ts');
  return startFlight(config, config.arrow, config.arrow.table.flight, counters);
}

async function stepRoutes(parts: Parts): Promise<Route[]> {
  const { config, counters, seen, spans, client, waits, links, complain } = parts;
  const own = config.graph.services[config.responsibleFor[0] ?? -1];
  const work = own ? new ServiceWork(own, config.seed, spans, waits) : undefined;
  // Behind an enforcement point a service only works; under `none` it executes its step itself.
  if (config.userService && !carriesItsFlow(config)) return [];
  if (config.kind === 'service' && work && own?.executor !== config.name) {
    return workRoutes(config, work, counters, seen, spans, links);
  }
  const courier = new Courier(config, client, links, spans, seen);
  if (config.kind === 'gateway') {
    const underCentral = config.graph.services.every(({ executor }) => executor === centralEntityName);
    const interpreter = new Interpreter(config, courier, seen, noSteps, underCentral ? centralEntityName : undefined);
    const lost = new LostFlows(client, config.secrets.controlToken);
    return gatewayRoutes({ config, interpreter, counters, seen, spans, lost, clock: monotonicClock });
  }
  const enforces = config.kind !== 'service';
  const runStep = enforces
    ? new EnforcedSteps(config, await Decider.load(config, monotonicClock, complain), courier, counters, spans).run
    : config.userService && own
      ? callStep(own, courier)
      : workStep(work as ServiceWork, config.secrets.digestKey);
  const interpreter = new Interpreter(config, courier, seen, runStep);
  return flowRoutes({ config, interpreter, courier, counters, spans, links, enforces });
}

/** The gateway is responsible for nothing: every step belongs to another role. */
const noSteps: StepRunner = async () => {
  throw new RangeError('a step of the gateway itself');
};
