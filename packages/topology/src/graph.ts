/** The normalised topology, frozen: names resolved and defaults filled in. All later stages start from it. */
import type { Architecture, RuleSet } from '@topo-bench/core';
import type { ArrowService } from '@topo-bench/core/schema/arrow';
import type { Limits } from '@topo-bench/core/schema/limits';
import type { Persistence } from '@topo-bench/core/schema/persistence';
import type { RulesFile } from '@topo-bench/core/schema/rules';
import type {
  Engine,
  Framework,
  Placement,
  RequestClass,
  Spread,
  Style,
  TopologyFile,
  Work,
} from '@topo-bench/core/schema/topology';
import type { UserService } from '@topo-bench/core/schema/user-service';
import type { Gateway } from './gateways.ts';

export interface Node {
  readonly index: number;
  readonly name: string;
  readonly region: string;
}

export interface Service {
  /** Position in file order, alternatives included. */
  readonly index: number;
  readonly name: string;
  /** Index into `Graph.nodes`. */
  readonly node: number;
  readonly work: Work;
  readonly responseBytes: number;
  readonly tags: readonly string[];
  /** Limits of its process; for an image, those of its container. */
  readonly limits?: Limits;
  /** The data that the service owns, if any. */
  readonly persistence?: Persistence;
  /** Outside the flow; reached by reroute only. */
  readonly alternative: boolean;
  /** The columns that the service serves, if any. */
  readonly arrow?: ArrowService;
  /** Present for a user-supplied service; topo-bench then does not perform `work`. */
  readonly user?: UserService;
}

/** A step or a fork of the flow program. `next` is an index into the program, or `flowEnd`. */
export type FlowInstruction =
  | { readonly kind: 'step'; readonly service: number; readonly next: number }
  | { readonly kind: 'fork'; readonly branches: readonly number[]; readonly next: number };

/** End of the flow, or of a branch of a fork: the role reports to the role that started it. */
export const flowEnd = -1;

/** The flow compiled to instructions that every role can follow from any point. `start` is the first instruction. */
export interface FlowProgram {
  readonly start: number;
  readonly instructions: readonly FlowInstruction[];
}

/** Network delay added by the sender between two nodes, in µs. */
export interface LinkDelay {
  readonly delayUs: number;
  readonly jitterUs: number;
}

export interface Graph {
  /** The documents of the graph, with units and defaults applied. The oracle reads them independently. */
  readonly source: { readonly topology: TopologyFile; readonly rules: RulesFile | undefined };
  readonly name: string;
  readonly nodes: readonly Node[];
  readonly services: readonly Service[];
  /** The first stands with the central entity. */
  readonly gateways: readonly [Gateway, ...Gateway[]];
  /** Limits of each gateway. */
  readonly gateway: { readonly limits?: Limits };
  readonly flow: FlowProgram;
  /** `links[from][to]`; undefined without a link. Symmetric. */
  readonly links: readonly (readonly (LinkDelay | undefined)[])[];
  readonly requestClasses: readonly RequestClass[];
  readonly rules: RuleSet;
  readonly framework: Framework;
  readonly placement: Placement;
  readonly enforcement: {
    readonly architecture: Architecture;
    /** The requested k; `effectiveRouters` returns the actual number. */
    readonly routers: number;
    /** Processes of each enforcement point, and how callers choose among them. */
    readonly replicas: number;
    readonly spread: Spread;
    readonly engine: Engine;
    readonly style: Style;
    /** How changed rules reach their points; `poll`: the interval, µs. */
    readonly distribution: 'push' | 'stream' | { readonly poll: number };
    readonly consistency: 'eventual' | 'versioned';
    /** Whether a step without a decision passes. */
    readonly failOpen: boolean;
    /** Times in µs. */
    readonly resilience?: {
      readonly retries: number;
      readonly backoff: number;
      readonly retryBudget: number;
      readonly takeover: boolean;
      readonly breaker?: { readonly failures: number; readonly openFor: number } | undefined;
    };
    /** Limits of each enforcement point. */
    readonly limits?: Limits;
  };
  readonly deadlines: { readonly hopUs: number; readonly requestUs: number };
}
