/** CPU time per request of any cell, estimated from a small measured one by planned messages and rules. */

import type { Cell } from '@topo-bench/core/schema/result';
import { plannedWork, type RoleWork } from '@topo-bench/deployment';
import type { ExperimentCell } from '@topo-bench/trial';

/** CPU time in µs; NaN where the probe had no such role. */
export interface CostModel {
  gatewayMessageUs: number;
  serviceMessageUs: number;
  pointMessageUs: number;
  ruleUs: number;
  /** Per request, for the load generator. */
  generatorUs: number;
}

export interface Demand {
  /** CPU time of all roles per request, in µs. */
  cpuUsPerRequest: number;
  /** Share of the host's processors that the offered load needs, generator included: 1 is all of them. */
  hostShare: number;
  /** The role with the busiest event loop: 1 is all of its time. */
  busiest: { role: string; share: number };
}

/**
 * @param entry a repetition of `cell`, with CPU time per request by kind of role
 * @returns undefined where no request was answered, or the system has no figures of CPU time
 */
export function costModelOf(cell: ExperimentCell, entry: Cell): CostModel | undefined {
  const work = plannedWork(cell.graph, cell.plan);
  const kinds = { gateway: ofKind(work, isGateway), service: ofKind(work, isService), point: ofKind(work, isPoint) };
  const { gateway, service, total: _total, store: _store, ...points } = entry.cpuUsPerRequest;
  if (gateway === undefined || service === undefined) return undefined;
  const gatewayMessageUs = gateway / kinds.gateway.messages;
  const pointUs = Object.values(points).reduce((sum, us) => sum + us, 0);
  // A point handles messages as the gateway does; the rest of its time is that of its rules.
  const pointMessageUs = Math.min(gatewayMessageUs, pointUs / kinds.point.messages);
  const generatorPercent = entry.resources.generator?.cpuPercent ?? 0;
  return {
    gatewayMessageUs,
    serviceMessageUs: service / kinds.service.messages,
    pointMessageUs,
    ruleUs: kinds.point.rules > 0 ? (pointUs - pointMessageUs * kinds.point.messages) / kinds.point.rules : 0,
    generatorUs: (generatorPercent / 100 / entry.achievedRps) * 1e6,
  };
}

/** @param cores of the host */
export function demandOf(cell: ExperimentCell, model: CostModel, cores: number): Demand {
  const roles = plannedWork(cell.graph, cell.plan).map((role) => ({ role: role.name, us: roleUs(role, model) }));
  const cpuUsPerRequest = roles.reduce((sum, { us }) => sum + us, 0);
  const { rate } = cell.settings.load;
  const [busiest = { role: '', us: 0 }] = roles.toSorted((a, b) => b.us - a.us);
  return {
    cpuUsPerRequest,
    hostShare: (rate * (cpuUsPerRequest + model.generatorUs)) / 1e6 / cores,
    busiest: { role: busiest.role, share: (rate * busiest.us) / 1e6 },
  };
}

function roleUs(role: RoleWork, { gatewayMessageUs, serviceMessageUs, pointMessageUs, ruleUs }: CostModel): number {
  if (isGateway(role)) return role.messages * gatewayMessageUs;
  if (isService(role)) return role.messages * serviceMessageUs;
  return role.messages * pointMessageUs + role.rules * ruleUs;
}

const isGateway = ({ kind }: RoleWork): boolean => kind === 'gateway';
const isService = ({ kind }: RoleWork): boolean => kind === 'service';
const isPoint = (role: RoleWork): boolean => !isGateway(role) && !isService(role);

function ofKind(work: readonly RoleWork[], is: (role: RoleWork) => boolean): { messages: number; rules: number } {
  const found = work.filter(is);
  const sum = (of: (role: RoleWork) => number): number => found.reduce((total, role) => total + of(role), 0);
  return { messages: sum(({ messages }) => messages), rules: sum(({ rules }) => rules) };
}
