/** The graph of a deployment as plain JSON data, shared by all of its roles. */
import type { Work } from './schema/topology.ts';

export interface DeploymentGraph {
  nodes: { name: string; region: string }[];
  services: GraphService[];
  /** Name of the role to which the gateway passes every flow; absent where flows pass between executors. */
  everythingTo?: string;
  flow: { start: number; instructions: GraphInstruction[] };
  /** `links[from][to]` by node; null where there is no link. */
  links: ({ delayUs: number; jitterUs: number } | null)[][];
  /** Ids of all rules of the run by index. Decisions are sent as indexes. */
  ruleIds: string[];
}

export interface GraphService {
  name: string;
  /** Index into `nodes`. */
  node: number;
  tags: string[];
  work: Work;
  responseBytes: number;
  alternative: boolean;
  /** Name of the role that executes its steps. */
  executor: string;
  /** Path at which a user-supplied service receives the payload by POST. */
  userPath?: string;
}

/** Indexes into `services` and `instructions`. */
export type GraphInstruction =
  | { kind: 'step'; service: number; next: number }
  | { kind: 'fork'; branches: number[]; next: number };
