/**
 * The port of the enforcement architectures. Each adapter is one file and returns the enforcement points of a graph.
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
  /**
   * Points in the order of the plan. Each service belongs to at most one point. A service without a point executes its
   * own step.
   */
  points(graph: Graph): EnforcementPoint[];
  /** Name of the point to which the gateway passes every flow; absent where flows go from point to point. */
  wholeFlowsTo?: string;
}

/** @param place replaces `<n>` or `<service>` in the name */
export function pointName(architecture: Architecture, place: string | number = ''): string {
  return (architectureTable[architecture].roleName ?? '').replace(/<\w+>/, String(place));
}
