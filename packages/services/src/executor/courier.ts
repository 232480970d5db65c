/**
 * Sends a flow on: to the next executor, to a service, or back to whoever started it. Waits out the link, counts the hop in
 * the message, keeps deadlines, and notes which peer last acknowledged the request.
 */
import { headers } from '@topo-bench/core/control';
import { type DeliveredDigests, deliveredDigests } from '@topo-bench/core/delivered-digest';
import type { GraphService } from '@topo-bench/core/deployment-graph';
import type { RequestFacts } from '@topo-bench/core/facts';
import type { Flow, FlowState, Outcome, WorkAnswer } from '@topo-bench/flow';
import { HopFailure, nestedMargin } from '@topo-bench/flow';
import type { LastSeenRing } from '../control/last-seen.ts';
import type { SpanRecorder } from '../control/span-recorder.ts';
import type { FullConfig } from '../full-config.ts';
import type { HopAnswer } from '../hops/hop-call.ts';
import type { HopClient } from '../hops/hop-client.ts';
import type { LinkDelays } from '../hops/link-delay.ts';

// The caller gives up only after the called has seen its time pass, so that late work is not begun.
const graceMs = 2;

export class Courier {
  private readonly hopMs: number;
  /** Subtracted from the time that our own caller leaves us; forward style: nobody waits. */
  private readonly marginMs: number;

  constructor(
    private readonly config: FullConfig,
    private readonly client: HopClient,
    private readonly links: LinkDelays,
    private readonly spans: SpanRecorder,
    private readonly seen: LastSeenRing,
  ) {
    this.hopMs = config.deadlines.hopUs / 1000;
    this.marginMs = config.style === 'nested' ? nestedMargin(config).perHopMs : Number.NEGATIVE_INFINITY;
  }

  /** Forward style: the flow is the next hop's once it has acknowledged. @throws HopFailure */
  async handOver(flow: Flow, hop: string): Promise<void> {
    const answer = await this.send(flow.state, hop, '/flow', () => flow.messageText);
    expectStatus(answer, 202, hop);
    this.seen.acknowledged(flow.state, hop);
  }

  /** Nested style: the next hop answers with how the flow ended. @throws HopFailure */
  async ask(flow: Flow, hop: string): Promise<Outcome> {
    const answer = await this.send(flow.state, hop, '/flow', () => flow.messageText);
    expectStatus(answer, 200, hop);
    this.seen.acknowledged(flow.state, hop);
    return JSON.parse(answer.text) as Outcome;
  }

  /**
   * Gives a service its copy of the request and waits until it has worked on it.
   * @param redacted the copy, when it is not the original
   * @returns digests of the payload that it received; of a user's own service, of the payload that was sent to it
   * @throws HopFailure
   */
  async callService(flow: Flow, service: GraphService, redacted?: RequestFacts): Promise<DeliveredDigests> {
    const { state } = flow;
    let digests: DeliveredDigests;
    if (service.userPath === undefined) {
      const answer = await this.send(state, service.name, '/work', () => {
        const { id, from, hops: hop, sentUs } = state;
        const requestText = redacted ? JSON.stringify(redacted) : flow.requestText;
        return `{${JSON.stringify({ id, from, hop, sentUs }).slice(1, -1)},"request":${requestText}}`;
      });
      expectStatus(answer, 200, service.name);
      digests = digestsIn(answer, service.name);
    } else {
      const { payload } = redacted ?? flow.request;
      await this.callUserService(state, service.name, service.userPath, payload);
      digests = deliveredDigests(payload, this.config.secrets.digestKey);
    }
    // From when it was handed to the network: the link on the way there has a span of its own.
    this.spans.end(state.sentUs, state.id, 'call', service.name);
    this.seen.acknowledged(state, service.name);
    return digests;
  }

  /** A service of the user's gets the payload and nothing of ours but headers; any 2xx will do. The link back is waited out here, for it. */
  private async callUserService(state: FlowState, name: string, path: string, payload: RequestFacts['payload']): Promise<void> {
    const answer = await this.send(state, name, path, () => JSON.stringify(payload), [headers.requestId, state.id]);
    if (answer.status < 200 || answer.status > 299) throw badAnswer(answer, '2xx', name);
    const { node } = this.config.peers[name] ?? { node: this.config.node };
    const delayUs = this.links.delayUs(node, state.id, state.hops);
    if (delayUs > 0) await this.links.sleep(delayUs);
  }

  /** Tells the holder of the fork, or the gateway, how it ended. @throws HopFailure */
  async report(outcome: Outcome): Promise<void> {
    const { state } = outcome;
    const answer = await this.send(state, state.replyTo, '/report', () => JSON.stringify(outcome));
    expectStatus(answer, 202, state.replyTo);
  }

  private async send(
    state: FlowState,
    hop: string,
    path: string,
    text: () => string,
    moreHeaders?: readonly string[],
  ): Promise<HopAnswer> {
    const { node } = this.config.peers[hop] ?? { node: this.config.node };
    state.hops++;
    if (node !== this.config.node) state.hopsBetweenNodes++;
    const delayUs = this.links.delayUs(node, state.id, state.hops);
    if (delayUs > 0) {
      const startUs = this.spans.start(state.id);
      await this.links.sleep(delayUs);
      this.spans.end(startUs, state.id, 'link', hop);
    }
    const nowMs = Date.now();
    const dueMs = Math.min(nowMs + this.hopMs, state.expiresMs, state.dueMs - this.marginMs);
    const callerDueMs = state.dueMs;
    state.dueMs = dueMs;
    state.from = this.config.node;
    const sentUs = this.spans.start(state.id);
    if (sentUs !== undefined) state.sentUs = sentUs;
    const body = text();
    // In nested style later calls from here still answer to our own caller's deadline.
    state.dueMs = callerDueMs;
    return this.client.post(hop, path, body, dueMs - nowMs + graceMs, moreHeaders);
  }
}

function expectStatus(answer: HopAnswer, expected: number, hop: string): void {
  if (answer.status !== expected) throw badAnswer(answer, String(expected), hop);
}

function digestsIn(answer: HopAnswer, hop: string): DeliveredDigests {
  const delivered = parsed(answer.text)?.delivered;
  if (delivered) return delivered;
  throw new HopFailure('bad-answer', hop, `${hop} answered without digests of what it received: ${answer.text.slice(0, 200)}`);
}

function parsed(text: string): Partial<WorkAnswer> | undefined {
  try {
    return JSON.parse(text) as Partial<WorkAnswer>;
  } catch {
    return undefined;
  }
}

function badAnswer({ status, text }: HopAnswer, expected: string, hop: string): HopFailure {
  const message = `${hop} answered ${status} instead of ${expected}: ${text.slice(0, 200)}`;
  return new HopFailure(status === 504 ? 'deadline' : 'bad-answer', hop, message);
}
