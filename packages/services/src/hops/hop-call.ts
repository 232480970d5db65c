/**
 * One call to a peer: collects the answer. It ends at its deadline, whether it is queued, connecting or running. It
 * is sent at most once.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { deliveredHeader } from '@topo-bench/core';
import { deadlinePassed, HopFailure } from '@topo-bench/flow';
import type { Dispatcher } from 'undici';
import type { ConnectionPool, PooledCall } from './connection-pool.ts';

/** Max bytes of an answer: a user-supplied service may send one without end. */
const maxAnswerBytes = 64 * 1024 ** 2;

export interface HopAnswer {
  status: number;
  text: string;
  /** Unparsed header with the digests of the payload that a service received. */
  delivered?: string;
}

export class HopCall implements PooledCall {
  connection: PooledCall['connection'];
  settled = false;
  /** Present once it is sent. */
  private controller: Dispatcher.DispatchController | undefined;
  private status = 0;
  private delivered: string | undefined;
  private chunks: Buffer[] = [];
  private bytes = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly pool: ConnectionPool,
    private readonly hop: string,
    readonly options: Dispatcher.DispatchOptions,
    deadlineMs: number,
    private readonly resolve: (answer: HopAnswer) => void,
    private readonly reject: (failure: HopFailure) => void,
  ) {
    this.timer = setTimeout(expire, deadlineMs, this, deadlineMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.settled) controller.abort(new Error('past its deadline'));
    else this.controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.status = status;
    this.delivered = headers[deliveredHeader] as string | undefined;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.pool.receivedBytes += chunk.length;
    this.bytes += chunk.length;
    if (this.bytes <= maxAnswerBytes) this.chunks.push(chunk);
    else if (this.settle()) {
      this.chunks = [];
      const message = `the answer of ${this.hop} is too large: got more than ${maxAnswerBytes / 1024 ** 2} MiB`;
      this.reject(new HopFailure('bad-answer', this.hop, message, true));
      controller.abort(new Error(message));
    }
  }

  onResponseEnd(): void {
    this.release();
    if (!this.settle()) return;
    const { chunks } = this;
    const text =
      chunks.length === 0 ? '' : (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString();
    const { status, delivered } = this;
    this.resolve(delivered === undefined ? { status, text } : { status, text, delivered });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    // Not at once: undici asserts after this event that its connection has no further call.
    queueMicrotask(() => this.release());
    if (!this.settle()) return;
    const message = `${this.hop} is not reachable: ${error.message}`;
    this.reject(new HopFailure('unreachable', this.hop, message, this.controller !== undefined));
  }

  /** Aborts the call at its deadline. */
  expire(deadlineMs: number): void {
    if (!this.settle()) return;
    this.controller?.abort(new Error('past its deadline'));
    this.reject(deadlinePassed(this.hop, deadlineMs * 1000));
  }

  private settle(): boolean {
    if (this.settled) return false;
    this.settled = true;
    clearTimeout(this.timer);
    return true;
  }

  private release(): void {
    const { connection } = this;
    this.connection = undefined;
    if (connection) this.pool.release(connection);
  }
}

function expire(call: HopCall, deadlineMs: number): void {
  call.expire(deadlineMs);
}
