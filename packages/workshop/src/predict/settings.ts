/** The sliders of the workshop: a load, machines, and fields of the topology with other values than in its file. */
import type { FactorLevel } from '@topo-bench/core';

/** Fields that are absent are those of the file. */
export interface Settings {
  /** Offered load, req/s. */
  rate: number;
  /** Cores of each machine. */
  cores: number;
  /** `node`: each node is a machine of its own; `one`: all nodes share one machine, as in a measurement here. */
  machines: 'node' | 'one';
  /** Requests that every process has served before a load; default: those of a measurement of the workshop. */
  servedBefore?: number;
  /** N: services of the flow. */
  services?: number;
  /** k of dynamic routers. */
  routers?: number;
  rulesPerService?: number;
  /** One way, of every link, ms. */
  delayMs?: number;
  /** Work of every service that states none, µs. */
  workUs?: number;
  /** Size of every field of a payload, bytes. */
  payloadBytes?: number;
}

/** More would keep the workers of the page busy for minutes. */
const limits: Partial<Record<string, number>> = { services: 1000, routers: 1000, rulesPerService: 1000 };

/** Largest value of a setting, from a field or a link. */
export function settingLimit(name: string): number {
  return limits[name] ?? 100_000;
}

/** Levels by factor, as an experiment states them. */
export function factorsOf(settings: Settings, architecture: string): Record<string, FactorLevel> {
  const { services, rulesPerService, delayMs, workUs, payloadBytes } = settings;
  return {
    architecture,
    ...(services !== undefined && { services }),
    ...(rulesPerService !== undefined && { rulesPerService }),
    ...(delayMs !== undefined && { delay: `${delayMs}ms` }),
    ...(workUs !== undefined && { work: `${workUs}us` }),
    ...(payloadBytes !== undefined && { payload: `${payloadBytes}B` }),
  };
}

/** Compared side by side, in the order of all charts. */
export function comparedArchitectures(routers: number): string[] {
  return ['none', 'central-entity', `dynamic-router-${routers}`, 'sidecar'];
}
