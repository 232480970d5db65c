/**
 * The port of the enforcement architectures: one file each, with the processes that decide for the services of a graph.
 */
import { type Architecture, architectureTable } from '@topo-bench/core';
import type { Graph } from '../graph.ts';

/** A process that decides for services. */
export interface EnforcementPoint {
  name: string;
  /** Index into `Graph.nodes`. */
  node: number;
  /** Indexes into `Graph.services`. */
  services: readonly number[];
}

export interface EnforcementArchitecture {
  /** In the order of the plan; each service belongs to one at most, and executes its own step if to none. */
  points(graph: Graph): EnforcementPoint[];
  /** Name of the point that the gateway passes every flow to; absent where flows go from point to point. */
  wholeFlowsTo?: string;
}

/** @param place of `<n>` or `<service>` in the name */
export function pointName(architecture: Architecture, place: string | number = ''): string {
  return (architectureTable[architecture].roleName ?? '').replace(/<\w+>/, String(place));
}
