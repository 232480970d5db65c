/**
 * Circuit breakers (M. Nygard, Release It!, 2007, section 5.2): a role stops sending to a peer that did not answer a
 * number of messages in a row. After a time one message is sent again. After its answer all others are sent.
 */
import type { FlowRole } from '../flow-role.ts';
import { HopFailure } from '../hop-failure.ts';
import type { CallEffect, ForwardEffect } from './role-effect.ts';
import type { FlowTask } from './task.ts';

interface Breaker<Reply> {
  /** Messages in a row without an answer. */
  failures: number;
  /** No message is sent before; undefined: all are. */
  openUntilUs?: number;
  /** The one that is sent again. */
  probe?: FlowTask<Reply> | undefined;
}

export class Breakers<Reply> {
  /** By peer; none for one that has answered last. */
  private readonly peers = new Map<string, Breaker<Reply>>();

  /** Half of the deadline of a hop. In nested style margins take up to a quarter, and earlier hops their time. */
  private readonly enoughUs: number;

  constructor(private readonly role: Pick<FlowRole, 'breaker' | 'deadlines'>) {
    const { hopUs, requestUs } = role.deadlines;
    this.enoughUs = Math.min(hopUs, requestUs) / 2;
  }

  /** @returns the failure of a message that is not sent */
  refusal({ task, crossing }: CallEffect<Reply> | ForwardEffect<Reply>, nowUs: number): HopFailure | undefined {
    const { to } = crossing;
    const breaker = this.peers.get(to);
    if (breaker?.openUntilUs === undefined) return undefined;
    if (!breaker.probe && nowUs >= breaker.openUntilUs) {
      breaker.probe = task;
      return undefined;
    }
    const message = `nothing was sent to ${to}: it did not answer ${breaker.failures} messages in a row`;
    return new HopFailure('breaker', to, message);
  }

  answered(peer: string): void {
    this.peers.delete(peer);
  }

  /**
   * A message has failed. It counts when it found no connection, lost it, or had enough time: a receiver that had only
   * the rest of its request's time may be well.
   */
  failed(task: FlowTask<Reply>, error: unknown, nowUs: number): void {
    const { breaker: settings } = this.role;
    if (!settings) return;
    // A task has one message at a time.
    const probed = [...this.peers.values()].find(({ probe }) => probe === task);
    if (probed) probed.probe = undefined;
    if (!(error instanceof HopFailure)) return;
    const { hop, kind, withinUs } = error;
    if (kind === 'bad-answer') this.answered(hop);
    if (kind !== 'unreachable' && (kind !== 'deadline' || withinUs < this.enoughUs)) return;
    const breaker = this.peers.get(hop) ?? { failures: 0 };
    // Messages that were sent before it opened do not count.
    if (breaker.openUntilUs !== undefined && breaker !== probed) return;
    this.peers.set(hop, breaker);
    breaker.failures++;
    if (breaker.failures >= settings.failures) breaker.openUntilUs = nowUs + settings.openUs;
  }
}
