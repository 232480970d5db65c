/** The graph of a deployment as plain JSON data, shared by all of its roles. */
import type { Spread, Work } from './schema/topology.ts';

export interface DeploymentGraph {
  nodes: { name: string; region: string }[];
  services: GraphService[];
  /** Name of the point to which the gateway passes every flow; absent where flows pass between executors. */
  everythingTo?: string;
  /** Processes of enforcement points that have several, and the choice among them. */
  replicas?: { spread: Spread; names: Record<PointName, string[]> };
  /**
   * The point that decides the steps of each point while no process of that one can be reached; itself if there is no
   * other. Absent: none does, and neither does another replica.
   */
  takeover?: Record<PointName, PointName>;
  flow: { start: number; instructions: GraphInstruction[] };
  /** `links[from][to]` by node; null where there is no link. */
  links: ({ delayUs: number; jitterUs: number } | null)[][];
  /** Ids of all rules of the run by index. Decisions are sent as indexes. */
  ruleIds: string[];
}

/** The name of an enforcement point is that of its first process. */
export type PointName = string;

export interface GraphService {
  name: string;
  /** Index into `nodes`. */
  node: number;
  tags: string[];
  work: Work;
  responseBytes: number;
  alternative: boolean;
  /** Name of the enforcement point, or of the service itself, that executes its steps. */
  executor: PointName;
  /** Path at which a user-supplied service receives the payload by POST. */
  userPath?: string;
}

/** Indexes into `services` and `instructions`. */
export type GraphInstruction =
  | { kind: 'step'; service: number; next: number }
  | { kind: 'fork'; branches: number[]; next: number };
