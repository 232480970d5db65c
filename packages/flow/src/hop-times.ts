/** How long the next hop may take, and how much time a message gives its receiver. */
import type { Flow } from './flow.ts';
import type { FlowRole } from './flow-role.ts';

type Timed = Pick<FlowRole, 'style' | 'graph' | 'deadlines'>;

/**
 * In nested style a hop gives up earlier than its caller by this margin. The hop that stalls is thus the one that is
 * named. All executors together take at most a quarter of a hop's deadline. Forward style: 0, since no hop waits for
 * the flow's end.
 */
export function nestedMarginUs({ style, graph, deadlines }: Timed): number {
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

  /** Time until the sender gives the hop up. Zero or less: the flow's time is over. */
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
