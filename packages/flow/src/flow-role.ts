/** The part of a role's configuration that determines its handling of a flow. */
import type { DeploymentGraph, Hashing, RoleConfig } from '@topo-bench/core';
import { pointOf, type ReceiverChoice, receiverChoice } from './replica-choice.ts';

/** Fields of the configuration that the flow reads. */
export interface FlowConfig
  extends Pick<
    RoleConfig,
    | 'name'
    | 'kind'
    | 'style'
    | 'node'
    | 'peers'
    | 'responsibleFor'
    | 'seed'
    | 'deadlines'
    | 'inFlightCap'
    | 'userService'
    | 'consistency'
    | 'failOpen'
    | 'retries'
    | 'breaker'
    | 'rulesVersion'
    | 'changedRuleIds'
  > {
  graph: DeploymentGraph;
}

export interface FlowRole extends FlowConfig {
  readonly hashing: Hashing;
  /**
   * `decide`: an enforcement point. `work`: a service without one. `call`: the role of a user-supplied service without
   * one.
   */
  readonly steps: 'decide' | 'work' | 'call';
  /** The enforcement point that it is a process of; its own name where the point has one process. */
  readonly point: string;
  readonly receiversOf: ReceiverChoice;
  /** The enforcement point that receives whole flows, forks included: the gateway's next hop under a central entity. */
  readonly everythingTo: string | undefined;
}

export function flowRole(config: FlowConfig, hashing: Hashing): FlowRole {
  const { kind, name, graph, userService } = config;
  return {
    ...config,
    hashing,
    point: pointOf(graph, name),
    receiversOf: receiverChoice(graph, name),
    steps: kind !== 'service' ? 'decide' : userService ? 'call' : 'work',
    everythingTo: kind === 'gateway' ? graph.everythingTo : undefined,
  };
}
