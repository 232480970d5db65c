/**
 * Limits of the hops of a deployment: requests in flight at the gateway, and connections of a role to each peer. The
 * documents of the roles carry them, so that real and simulated roles have the same.
 */
import type { RoleConfig } from '@topo-bench/core';
import type { Style } from '@topo-bench/core/schema/topology';
import type { Graph } from '@topo-bench/topology';
import type { DeploymentPlan, RolePlan } from './deployment-plan.ts';

/**
 * Max open requests at the generator and at the gateway. Nested style needs a connection per hop and request, so its
 * limit is lower.
 */
export function inFlightCap(stated: number | undefined, { enforcement }: { enforcement: { style: Style } }): number {
  return stated ?? (enforcement.style === 'nested' ? 4000 : 8000);
}

// Enough for acknowledgements and for services that one core serves. More would only move the queue to the peer.
const forShortCalls = 64;
// Share of the 20 000 handles that common limits allow a process. The rest is for its server side.
const forAllPeers = 12_000;

/**
 * Max connections to one peer: high enough never to be the bottleneck, and within the system's handle limit.
 * @param holdsLong the answer comes after other work or a wait (nested hops, waiting services). One call is then open
 * per request in flight.
 */
export function maxConnections(holdsLong: boolean, inFlightCap: number, peers: number): number {
  const wanted = holdsLong ? Math.max(inFlightCap, forShortCalls) : forShortCalls;
  return Math.max(2, Math.min(wanted, Math.floor(forAllPeers / peers)));
}

/** What the caller of a peer calls. */
export interface CalledPeer {
  /** The peer answers after other work or a wait. */
  holdsLong: boolean;
  /** The caller reaches a user-supplied service itself, not its role. */
  userSupplied: boolean;
}

/**
 * In nested style an executing role answers after all later steps. A service with `wait` work answers after its wait.
 * Calls for items wait for the store.
 */
export function calledPeer(
  { name }: Pick<RolePlan, 'name'>,
  peer: Pick<RolePlan, 'name' | 'kind' | 'responsibleFor'>,
  { graph, plan, items = [] }: { graph: Graph; plan: DeploymentPlan } & Pick<RoleConfig, 'items'>,
): CalledPeer {
  const index = peer.kind === 'service' ? peer.responsibleFor[0] : undefined;
  const service = index === undefined ? undefined : graph.services[index];
  const executesOwn = service !== undefined && plan.executorOf[service.index] === peer.name;
  // The role that executes the step of a user-supplied service calls that service directly.
  const userSupplied = service?.user !== undefined && (!executesOwn || peer.name === name);
  const executes = !userSupplied && (!service || executesOwn);
  const keepsItems = items.some((one) => one.service === index);
  const waits = keepsItems || service?.work.kind === 'wait';
  return { userSupplied, holdsLong: executes ? graph.enforcement.style === 'nested' : waits };
}
