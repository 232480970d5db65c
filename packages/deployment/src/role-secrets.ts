/** The secrets of a role, all derived from one secret of the run: tokens of its peers, keys, and its store. */
import { createHmac } from 'node:crypto';
import { type DeliveryKeys, type FlightSecrets, type RoleSecrets, TopoBenchError } from '@topo-bench/core';
import type { Graph } from '@topo-bench/topology';
import type { DeploymentPlan, RolePlan } from './deployment-plan.ts';
import type { Placement } from './placement.ts';

export interface RoleSecretOptions {
  graph: Graph;
  plan: DeploymentPlan;
  place: Placement;
  /** Random per run: tokens and the keys of pseudonyms and digests are derived from it. */
  secret: string;
  /** Connection strings of the prepared stores, by service. Every service that keeps data needs one. */
  storeUrls?: Readonly<Record<string, string>>;
  /** Passwords and certificates of Flight endpoints, by service. Default: the role reads what its file names. */
  flightSecrets?: Readonly<Record<string, FlightSecrets>>;
}

export function roleSecrets(role: RolePlan, options: RoleSecretOptions): RoleSecrets {
  const { secret } = options;
  return {
    token: tokenOf(secret, role.name),
    clientToken: clientToken(secret),
    controlToken: derive(secret, 'control'),
    ...deliveryKeys(secret),
    peerTokens: Object.fromEntries(role.peers.map((peer) => [peer, tokenOf(secret, peer)])),
    ...storeOf(role, options),
    ...flightOf(role, options),
  };
}

/** The token of clients, equal in all roles of a run. */
export function clientToken(secret: string): string {
  return derive(secret, 'client');
}

/** The password of a database server that is deployed with the roles. */
export function databasePassword(secret: string, host: string): string {
  return derive(secret, 'database', host);
}

export function deliveryKeys(secret: string): DeliveryKeys {
  return { pseudonymKey: derive(secret, 'pseudonyms'), digestKey: derive(secret, 'digests') };
}

/** Behind an enforcement point only that point may call the items of a service. Without one, clients may call them. */
function storeOf(
  { kind, name, responsibleFor: [index = -1] }: RolePlan,
  { graph, plan, place, secret, storeUrls = {} }: RoleSecretOptions,
): Pick<RoleSecrets, 'store'> {
  const service = graph.services[index];
  if (kind !== 'service' || !service?.persistence) return {};
  const url = storeUrls[service.name];
  if (url === undefined) throw new TopoBenchError('TB_INTERNAL', `no store has been prepared for the service ${name}`);
  const callerToken = plan.executorOf.includes(name) ? clientToken(secret) : tokenOf(secret, name);
  return { store: { url: place.storeUrl(url), callerToken } };
}

function flightOf(
  { kind, responsibleFor: [index = -1] }: RolePlan,
  { graph, flightSecrets = {} }: RoleSecretOptions,
): Pick<RoleSecrets, 'flight'> {
  const service = kind === 'service' ? graph.services[index] : undefined;
  const flight = service && flightSecrets[service.name];
  return flight ? { flight } : {};
}

function tokenOf(secret: string, role: string): string {
  return derive(secret, 'token', role);
}

function derive(secret: string, ...purpose: string[]): string {
  return createHmac('sha256', secret).update(purpose.join('/')).digest('base64url');
}
