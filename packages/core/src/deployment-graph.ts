/** The graph of a deployment as its roles read it: one document for all of them, plain data that travels as JSON. */
import type { Work } from './schema/topology.ts';

export interface DeploymentGraph {
  nodes: { name: string; region: string }[];
  services: GraphService[];
  /** Name of the role that the gateway passes every flow to; absent where flows go from executor to executor. */
  everythingTo?: string;
  flow: { start: number; instructions: GraphInstruction[] };
  /** `links[from][to]` by node; null where there is none. */
  links: ({ delayUs: number; jitterUs: number } | null)[][];
  /** Ids of all rules of the run by index: decisions travel as indexes. */
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
  /** A user-supplied service gets the payload by POST at this path. */
  userPath?: string;
}

/** Indexes into `services` and `instructions`. */
export type GraphInstruction =
  | { kind: 'step'; service: number; next: number }
  | { kind: 'fork'; branches: number[]; next: number };
