/**
 * The port of the enforcement architectures. Each adapter is one file and returns the enforcement points of a graph.
 */
import { type Architecture, architectureTable, isReplicated } from '@topo-bench/core';
import type { Graph } from '../graph.ts';

/** One process that decides for services, or several that do the same. */
export interface EnforcementPoint {
  /** Also the name of its first process. */
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
  /**
   * Index of the point that decides for another one while that is down; its own index: its replicas alone do. Absent:
   * no point of this architecture is taken over.
   */
  takenOverBy?(index: number, points: number): number;
}

/** Processes of each enforcement point of a graph. */
export function replicasOf({ architecture, replicas }: Graph['enforcement']): number {
  return isReplicated(architecture) ? replicas : 1;
}

/** Names of the processes of a point: its own name, then numbers from 2. */
export function replicaNames(point: string, replicas: number): string[] {
  return Array.from({ length: replicas }, (_, index) => (index === 0 ? point : `${point}-${index + 1}`));
}

/** @param place replaces `<n>` or `<service>` in the name */
export function pointName(architecture: Architecture, place: string | number = ''): string {
  return (architectureTable[architecture].roleName ?? '').replace(/<\w+>/, String(place));
}
