/** Turns a role's configuration into the running role; loads only the framework and the rule engine that it uses. */
import { monotonicClock } from '@topo-bench/core/clock';
import { Decider } from '@topo-bench/flow';
import { hostClock } from '@topo-bench/host';
import type { FlightEndpoint } from './arrow/flight-endpoint.ts';
import { controlRoutes } from './control/control-routes.ts';
import { LastSeenRing } from './control/last-seen.ts';
import { ProcessUsage } from './control/process-usage.ts';
import { RoleCounters } from './control/role-counters.ts';
import { SpanRecorder } from './control/span-recorder.ts';
import { FlowPerformer } from './executor/flow-performer.ts';
import { flowRoutes } from './executor/flow-routes.ts';
import type { FullConfig } from './full-config.ts';
import { gatewayRoutes } from './gateway/gateway-routes.ts';
import { LostFlows } from './gateway/lost-flow.ts';
import { DeadlineQueue } from './hops/deadline-queue.ts';
import { HopClient } from './hops/hop-client.ts';
import { LinkDelays } from './hops/link-delay.ts';
import { frameworks } from './http/frameworks.ts';
import type { Route } from './http/http-port.ts';
import type { RoleParts } from './role-parts.ts';
import { ServiceWork } from './service/service-work.ts';
import { workRoutes } from './service/work-routes.ts';

export interface RunningRole {
  /** Where its callers send data. */
  url: string;
  /** Where its control routes are, when that is elsewhere: beside a service of the user's. */
  controlUrl?: string;
  /** Where it serves its columns over Arrow Flight. */
  flightUrl?: string;
  /**
   * Tells it where its peers are; to be called once, before data flows. URLs of the configuration hold where none is
   * given.
   */
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
  const clock = monotonicClock;
  const parts: RoleParts = { config, counters, seen, spans, client, waits, links, clock, complain, atEnd: [] };
  const usage = new ProcessUsage();
  parts.atEnd.push(async () => usage.close());
  const control = controlRoutes(config, { counters, usage, seen, spans, client, beside: user?.observation });
  const [{ startServer }, data] = await Promise.all([frameworks[config.framework](), dataRoutes(parts)]);
  const [server, flight] = await Promise.all([startServer({ ...config.listen, routes: data, control }), flightEndpoint(parts)]);
  // Behind an enforcement point the user's service is called itself; only where nothing is enforced do callers meet its
  // role.
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

/** Of the flow, and of the items of a service that keeps data. */
async function dataRoutes(parts: RoleParts): Promise<Route[]> {
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
async function guardedItems({ config, client, links, counters, complain }: RoleParts): Promise<Route[]> {
  if (!config.items) return [];
  const { guardedItemRoutes } = await import('./items/guarded-item-routes.ts');
  return guardedItemRoutes({ config, client, links, counters, complain }, config.items);
}

/** Loaded only by a service that serves columns. */
async function columnRoutes({ config, counters }: RoleParts): Promise<Route[]> {
  if (!config.arrow) return [];
  return (await import('./arrow/arrow-routes.ts')).arrowRoutes(config, config.arrow, counters);
}

/** Loaded only by a service that serves columns over Arrow Flight. */
async function flightEndpoint({ config, counters }: RoleParts): Promise<FlightEndpoint | undefined> {
  if (!config.arrow?.table.flight) return undefined;
  const { startFlight } = await import('./arrow/flight-endpoint.ts');
  return startFlight(config, config.arrow, config.arrow.table.flight, counters);
}

async function stepRoutes(parts: RoleParts): Promise<Route[]> {
  const { config, client, complain } = parts;
  const own = config.graph.services[config.responsibleFor[0] ?? -1];
  const work = own && new ServiceWork(own, config.seed, parts.spans, parts.waits);
  // Behind an enforcement point a service only works; under `none` it executes its step itself.
  if (config.userService && !carriesItsFlow(config)) return [];
  if (config.kind === 'service' && work && own.executor !== config.name) return workRoutes(parts, work);
  if (config.kind === 'gateway') {
    return gatewayRoutes(parts, new FlowPerformer(parts), new LostFlows(client, config.secrets.controlToken));
  }
  const decider = config.kind === 'service' ? undefined : await Decider.load(config, complain);
  return flowRoutes(parts, new FlowPerformer(parts, { decider, work }));
}
