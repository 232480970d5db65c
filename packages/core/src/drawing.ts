/** The drawing of a topology under one architecture, as data: lanes are nodes, rows are steps of the flow. */

export interface DrawnService {
  name: string;
  /** Index of its node. */
  node: number;
  /** Row of its step, from 0; alternatives are below the flow. */
  row: number;
  alternative: boolean;
  tags: readonly string[];
  /** Name of the role that decides for it; its own without enforcement. */
  decidedBy: string;
}

export interface DrawnRole {
  name: string;
  kind: string;
  node: number;
  /** Names of services. */
  decidesFor: readonly string[];
}

/** A message between two roles. `pass`: a flow is forwarded · `call`: a service works · `report`: a flow has ended. */
export interface DrawnHop {
  from: string;
  to: string;
  kind: 'pass' | 'call' | 'report';
}

export interface Drawing {
  name: string;
  architecture: string;
  nodes: { name: string; region: string }[];
  gatewayNode: number;
  services: DrawnService[];
  rows: number;
  /** Steps that follow each other, by index of service; −1: the gateway. */
  edges: { from: number; to: number; parallel: boolean }[];
  /** Gateway and enforcement points. */
  roles: DrawnRole[];
  /** Messages of a request that every rule allows, in order; branches one after the other. */
  hops: DrawnHop[];
  links: { from: number; to: number; delayUs: number }[];
}
