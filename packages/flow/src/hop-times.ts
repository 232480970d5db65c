/** Timeouts of the next hop, and the time that a message grants its receiver. */
import type { Flow } from './flow.ts';
import type { FlowRole } from './flow-role.ts';

type Timed = Pick<FlowRole, 'style' | 'graph' | 'deadlines'>;

/**
 * In nested style a hop times out earlier than its caller by this margin. The error thus names the hop that stalls. All
 * executors together take at most a quarter of a hop's deadline. Forward style: 0, since no hop waits for the flow's
 * end.
 */
function nestedMarginUs({ style, graph, deadlines }: Timed): number {
  if (style !== 'nested') return 0;
  return Math.min(50_000, deadlines.hopUs / (4 * countExecutors(graph)));
}

/** Sum of the margins over a chain of all executors. */
export function allMarginsUs(role: Timed): number {
  return nestedMarginUs(role) * countExecutors(role.graph);
}

export class HopTimes {
  private readonly marginUs: number;

  constructor(private readonly role: Timed) {
    this.marginUs = nestedMarginUs(role);
  }

  /** Timeout of the hop at its sender. Zero or less: the flow's deadline has passed. */
  withinUs({ expiresUs }: Pick<Flow, 'expiresUs'>, nowUs: number): number {
    return Math.min(this.role.deadlines.hopUs, expiresUs - nowUs - this.marginUs);
  }

  /** Value of `FlowMessage.leftUs`. */
  leftUs(flow: Pick<Flow, 'expiresUs'>, nowUs: number): number {
    return this.role.style === 'nested' ? this.withinUs(flow, nowUs) : flow.expiresUs - nowUs;
  }
}

function countExecutors({ services }: Timed['graph']): number {
  return new Set(services.map(({ executor }) => executor)).size;
}
