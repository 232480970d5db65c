/**
 * Sends a flow to the next executor or to a service, and its outcome back to the role that started it. Waits for the
 * link delay, sets the timeout of the hop, reads the answer, and records spans.
 */
import { type DeliveredDigests, type GraphService, headers, type SpanPlace } from '@topo-bench/core';
import {
  type CallEffect,
  type FlowTask,
  type ForwardEffect,
  HopFailure,
  HopTimes,
  type Outcome,
  type OutcomeAnswer,
  type ReportEffect,
  type WorkAnswer,
} from '@topo-bench/flow';
import type { HopAnswer } from '../hops/hop-call.ts';
import type { Call } from '../http/http-port.ts';
import type { RoleParts } from '../role-parts.ts';

type Sending = CallEffect<Call> | ForwardEffect<Call> | ReportEffect<Call>;

interface Sent {
  answer: HopAnswer;
  /** Absent for a request that is not traced, as is the place. */
  sentUs: number | undefined;
  place: SpanPlace | undefined;
}

export class HopSender {
  private readonly times: HopTimes;

  /** @param placeOf the handling of the message that a task belongs to */
  constructor(
    private readonly parts: Pick<RoleParts, 'config' | 'client' | 'waits' | 'spans' | 'clock' | 'faults'>,
    private readonly placeOf: (task: FlowTask<Call>) => SpanPlace,
  ) {
    this.times = new HopTimes(parts.config);
  }

  /**
   * Hands the flow over to the next executor.
   * @returns in nested style the outcome; in forward style undefined, once the next hop has acknowledged
   * @throws HopFailure
   */
  async forward(effect: ForwardEffect<Call>): Promise<Outcome | undefined> {
    const { flow } = effect.task.run;
    const { to } = effect.crossing;
    const { node, style } = this.parts.config;
    const sent = await this.send(effect, '/flow', (leftUs) => flow.messageText(node, leftUs));
    const { answer } = sent;
    expectStatus(answer, style === 'nested' ? 200 : 202, to);
    if (style === 'nested') {
      const { ownUs, ...outcome } = JSON.parse(answer.text) as OutcomeAnswer;
      this.queued(effect, sent, ownUs);
      return outcome;
    }
    // The receiver acknowledges right after parsing, so its own time is 0.
    this.queued(effect, sent, 0);
    return undefined;
  }

  /**
   * Sends a service its copy of the request and waits until the work is done.
   * @returns digests of the received payload; undefined for a user-supplied service
   * @throws HopFailure
   */
  async callService(effect: CallEffect<Call>): Promise<DeliveredDigests | undefined> {
    const { crossing, redacted } = effect;
    const { flow } = effect.task.run;
    const { name, userPath } = this.parts.config.graph.services[effect.service] as GraphService;
    if (userPath !== undefined) return this.callUserService(effect, userPath, (redacted ?? flow.request).payload);
    const sent = await this.send(effect, '/work', () => {
      return flow.workText(this.parts.config.node, crossing.hop, redacted);
    });
    expectStatus(sent.answer, 200, name);
    const { delivered, ownUs } = readWorkAnswer(sent.answer, name);
    this.parts.spans.end(sent.sentUs, flow.state.id, 'call', name, sent.place);
    this.queued(effect, sent, ownUs);
    return delivered;
  }

  /**
   * Reports the outcome of the flow to the forking role or to the gateway.
   * @throws HopFailure
   */
  async report(effect: ReportEffect<Call>): Promise<void> {
    const { to } = effect.crossing;
    const sent = await this.send(effect, '/report', () => JSON.stringify(effect.outcome));
    expectStatus(sent.answer, 202, to);
    this.queued(effect, sent, 0);
  }

  /**
   * Sends the payload to a user-supplied service, with only the request id added. Any 2xx is success. The link delay of
   * the answer is waited for here.
   */
  private async callUserService(effect: CallEffect<Call>, path: string, payload: object): Promise<undefined> {
    const { id } = effect.task;
    const { to } = effect.crossing;
    const { answer, sentUs, place } = await this.send(effect, path, () => JSON.stringify(payload), id);
    if (answer.status < 200 || answer.status > 299) throw badAnswer(answer, '2xx', to);
    const { waits, spans } = this.parts;
    if (effect.delayUs > 0) await waits.sleep(effect.delayUs);
    spans.end(sentUs, id, 'call', to, place);
  }

  /**
   * @param text returns the body for a given remaining time
   * @param userId id of the request, for a user-supplied service: it gets no place of a span
   */
  private async send(
    { task, crossing: { to }, delayUs: linkUs }: Sending,
    path: string,
    text: (leftUs: number) => string,
    userId?: string,
  ): Promise<Sent> {
    const { waits, spans, client, clock, faults } = this.parts;
    const delayUs = linkUs + faults.delayUs;
    const { flow } = task.run;
    const { id } = task;
    const place = spans.traces(id) ? spans.next(this.placeOf(task)) : undefined;
    if (delayUs > 0) {
      const startUs = spans.start(id);
      await waits.sleep(delayUs);
      spans.end(startUs, id, 'link', to, place);
    }
    const nowUs = clock.nowUs();
    const sentUs = spans.start(id);
    const body = text(this.times.leftUs(flow, nowUs));
    const ownHeaders = place && [headers.span, `${place.hop} ${place.message}`];
    const moreHeaders = userId === undefined ? ownHeaders : [headers.requestId, userId];
    const answer = await client.post(to, path, body, this.times.withinUs(flow, nowUs) / 1000, moreHeaders);
    return { answer, sentUs, place };
  }

  /**
   * A `queued` span is the time outside the receiver: network both ways, and waits for a connection and the processor.
   */
  private queued({ task, crossing }: Sending, { sentUs, place }: Sent, ownUs: number | undefined): void {
    if (ownUs !== undefined) this.parts.spans.end(sentUs, task.id, 'queued', crossing.to, place, ownUs);
  }
}

function expectStatus(answer: HopAnswer, expected: number, hop: string): void {
  if (answer.status !== expected) throw badAnswer(answer, String(expected), hop);
}

function readWorkAnswer(answer: HopAnswer, hop: string): WorkAnswer {
  const read = parsed(answer.text);
  if (read?.delivered) return read as WorkAnswer;
  throw new HopFailure(
    'bad-answer',
    hop,
    `the answer of ${hop} has no digests of the received payload: ${answer.text.slice(0, 200)}`,
  );
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
