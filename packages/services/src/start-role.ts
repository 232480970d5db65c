/** Starts a role from its configuration. Loads only the framework and the rule engine that the role uses. */
import { type LastSeen, monotonicClock } from '@topo-bench/core';
import { Decider } from '@topo-bench/flow';
import { hostClock } from '@topo-bench/host';
import type { FlightEndpoint } from './arrow/flight-endpoint.ts';
import { controlRoutes } from './control/control-routes.ts';
import { hostRoutes } from './control/host-routes.ts';
import { FaultState, faultRoute } from './control/message-faults.ts';
import { probeRoutes } from './control/probe-routes.ts';
import { ProcessUsage } from './control/process-usage.ts';
import { RoleCounters } from './control/role-counters.ts';
import { fetchRules } from './control/rule-fetcher.ts';
import { ruleRoutes } from './control/rule-routes.ts';
import { SpanRecorder } from './control/span-recorder.ts';
import { Traffic } from './control/traffic.ts';
import { flowRoutes } from './executor/flow-routes.ts';
import { RolePerformer } from './executor/role-performer.ts';
import type { FullConfig } from './full-config.ts';
import { clientEnd } from './gateway/client-end.ts';
import { gatewayRoutes } from './gateway/gateway-routes.ts';
import { DeadlineQueue } from './hops/deadline-queue.ts';
import { HopClient } from './hops/hop-client.ts';
import { LinkDelays } from './hops/link-delay.ts';
import { frameworks } from './http/frameworks.ts';
import type { Route } from './http/http-port.ts';
import { startServer as startControlServer } from './http/node/server.ts';
import type { RoleParts } from './role-parts.ts';
import { ServiceWork } from './service/service-work.ts';
import { workRoutes } from './service/work-routes.ts';

export interface RunningRole {
  /** Base URL for data requests. */
  url: string;
  /** Base URL of the control routes, if different from `url`: on a port of their own, or next to a user's service. */
  controlUrl?: string;
  /** URL of the Arrow Flight endpoint. */
  flightUrl?: string;
  /**
   * Sets the addresses of the peers. Call it once, before data flows. A peer missing from `urls` keeps its configured
   * URL.
   */
  connect(urls: Readonly<Record<string, string>>): Promise<void>;
  /** Drains open requests for up to `graceMs`, then closes every connection. */
  close(graceMs: number): Promise<void>;
}

/**
 * Starts a role and its servers.
 * @param warn writes one line to the role's log
 * @param end called with a reason and an exit code when the watched user-supplied service has ended
 * @throws the system's error when the address is not available; StartFailure when a user-supplied service is not ready
 */
export async function startRole(
  roleConfig: FullConfig,
  warn: (line: string) => void,
  end: (reason: string, exitCode: number) => void = warn,
): Promise<RunningRole> {
  const { userService } = roleConfig;
  // Loaded only by a role with a user-supplied service.
  const user =
    userService &&
    (await (await import('./user-service/start-user-service.ts')).startUserService(roleConfig, userService, end));
  const config = user?.config ?? roleConfig;
  const counters = new RoleCounters();
  const spans = new SpanRecorder(config.name, config.traceShare, hostClock);
  const faults = new FaultState();
  const client = new HopClient(config, faults);
  const waits = new DeadlineQueue(monotonicClock);
  const links = new LinkDelays(config.graph.links, config.node, config.seed, waits);
  const clock = monotonicClock;
  const parts: RoleParts = { config, counters, spans, client, waits, links, clock, faults, warn, atEnd: [] };
  const usage = new ProcessUsage();
  counters.onRequest = () => usage.active();
  parts.atEnd.push(async () => usage.close());
  const [{ startServer }, { data, performer }] = await Promise.all([frameworks[config.framework](), dataRoutes(parts)]);
  const seen = (id: string): LastSeen | undefined => performer?.machine.seen.find(id);
  const traffic = new Traffic();
  const observed = { counters, usage, seen, spans, client, traffic, userService: user?.observation };
  const control = [
    ...controlRoutes(config, observed),
    ...hostRoutes(config),
    ...probeRoutes(config),
    ...(performer && config.kind !== 'service' ? ruleRoutes(config, performer) : []),
    faultRoute(config.secrets, faults),
  ];
  const { controlPort, ...address } = config.listen;
  const [server, controlServer, flight] = await Promise.all([
    startServer({ ...address, routes: traffic.counted(data), ...(controlPort === undefined && { control }) }),
    controlPort === undefined ? undefined : startControlServer({ ...address, port: controlPort, routes: control }),
    flightEndpoint(parts),
  ]);
  // An enforcement point calls the user-supplied service directly. Without enforcement, callers use its role.
  const url = user && !carriesItsFlow(config) ? user.url : server.url;
  const controlUrl = (controlServer ?? server).url;
  return {
    url,
    ...(controlUrl !== url && { controlUrl }),
    ...(flight && { flightUrl: flight.url }),
    connect: async (urls) => {
      await client.connect({ ...urls, ...(user && { [config.name]: user.url }) });
      if (!performer || !config.fetchRules) return;
      const end = fetchRules(parts, performer);
      parts.atEnd.push(async () => end());
    },
    close: async (graceMs) => {
      const servers = [server, controlServer, flight].map((one) => one?.close(graceMs));
      await Promise.all([...servers, user?.service.stop(graceMs / 2)]);
      await client.close();
      await Promise.all(parts.atEnd.map((end) => end()));
    },
  };
}

function carriesItsFlow({ name, graph, responsibleFor: [own = -1] }: FullConfig): boolean {
  return graph.services[own]?.executor === name;
}

interface DataRoutes {
  data: Route[];
  /** Absent for a role that takes no part in flows. */
  performer?: RolePerformer;
}

/** Routes for flows, columns and items. */
async function dataRoutes(parts: RoleParts): Promise<DataRoutes> {
  const { data, ...flow } = await stepRoutes(parts);
  return {
    data: [...data, ...(await columnRoutes(parts)), ...(await guardedItems(parts)), ...(await ownItems(parts))],
    ...flow,
  };
}

async function ownItems({ config, counters, atEnd }: RoleParts): Promise<Route[]> {
  const { persistence, secrets } = config;
  if (!persistence || !secrets.store) return [];
  // Loaded only by a service with a store: drivers and schemas outweigh the rest of a role.
  const { itemRoutes } = await import('./items/item-routes.ts');
  const items = await itemRoutes(persistence.store, secrets.store, secrets.digestKey, counters);
  atEnd.push(items.close);
  return items.routes;
}

/** Loaded only by an enforcement point of a service with a store. */
async function guardedItems({ config, client, links, counters, warn }: RoleParts): Promise<Route[]> {
  if (!config.items) return [];
  const { guardedItemRoutes } = await import('./items/guarded-item-routes.ts');
  return guardedItemRoutes({ config, client, links, counters, warn }, config.items);
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

async function stepRoutes(parts: RoleParts): Promise<DataRoutes> {
  const { config, spans, waits, warn } = parts;
  const own = config.graph.services[config.responsibleFor[0] ?? -1];
  const { token } = config.secrets;
  // An enforcement point calls the user-supplied service directly.
  if (config.userService && !carriesItsFlow(config)) return { data: [] };
  if (config.kind === 'gateway') {
    const performer = new RolePerformer(parts, { clients: clientEnd(parts) });
    return { data: gatewayRoutes(parts, performer), performer };
  }
  const decider = config.kind === 'service' ? undefined : await Decider.load(config, warn);
  const work = own && new ServiceWork(own, spans, waits);
  const performer = new RolePerformer(parts, { decider, work });
  // Behind an enforcement point a service only works. Under `none` it executes its own step.
  const onlyWorks = config.kind === 'service' && own?.executor !== config.name;
  const data = onlyWorks ? workRoutes(performer, token) : flowRoutes(performer, token);
  return { data, performer };
}
