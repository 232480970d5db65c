/** The data routes of an executor: messages that hand it a flow, and reports on branches that it waits for. */
import { headers as headerNames } from '@topo-bench/core/control';
import type { FlowMessage, Outcome } from '@topo-bench/flow';
import { type Flow, HopFailure, receiveFlow } from '@topo-bench/flow';
import type { RoleCounters } from '../control/role-counters.ts';
import type { SpanRecorder } from '../control/span-recorder.ts';
import type { FullConfig } from '../full-config.ts';
import type { LinkDelays } from '../hops/link-delay.ts';
import { type Call, type Route, roleBodyLimitBytes } from '../http/http-port.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { tokenGuard } from '../http/token-guard.ts';
import type { Courier } from './courier.ts';
import type { Interpreter } from './interpreter.ts';

export interface FlowRoutesOptions {
  config: FullConfig;
  interpreter: Interpreter;
  courier: Courier;
  counters: RoleCounters;
  spans: SpanRecorder;
  links: LinkDelays;
  /** Whether this role decides; only then does it keep track of where the data has been. */
  enforces: boolean;
}

export function flowRoutes(options: FlowRoutesOptions): Route[] {
  const { config, interpreter, counters } = options;
  const refuse = tokenGuard(headerNames.token, config.secrets.token);
  const take = config.style === 'nested' ? answerWithOutcome : acknowledge;
  return [
    {
      method: 'POST',
      path: '/flow',
      bodyLimitBytes: roleBodyLimitBytes,
      refuse,
      handle: (call) => {
        const message = call.body as FlowMessage;
        const { state } = message;
        // Whoever sent it has given up and said so: nobody would hear of what happened here.
        if (Date.now() > state.dueMs) throw new HttpProblem(504, 'deadline', `${config.name} read the message too late`);
        options.spans.end(state.sentUs, state.id, 'queued', config.name);
        const flow = receiveFlow(message, config.graph, options.enforces ? config.node : undefined);
        counters.inFlight++;
        return take(options, call, flow).finally(() => {
          counters.inFlight--;
          counters.served++;
        });
      },
    },
    {
      method: 'POST',
      path: '/report',
      bodyLimitBytes: roleBodyLimitBytes,
      refuse,
      handle: (call) => {
        call.answer(202, '');
        if (!interpreter.joins.arrive(call.body as Outcome)) counters.ignoredReports++;
      },
    },
  ];
}

/** Forward style: the sender is done with it before anything is decided; how it ends is reported to whoever started it. */
async function acknowledge({ config, interpreter, courier, counters }: FlowRoutesOptions, call: Call, flow: Flow): Promise<void> {
  call.answer(202, '');
  const outcome = await interpreter.run(flow);
  if (!outcome) return;
  if (outcome.state.replyTo === config.name) {
    // A branch that left and came back to its own fork's holder.
    if (!interpreter.joins.arrive(outcome)) counters.ignoredReports++;
    return;
  }
  try {
    await courier.report(outcome);
  } catch (error) {
    // The flow is lost; the deadline of whoever waits for the report turns that into an error.
    if (!(error instanceof HopFailure)) throw error;
  }
}

/** Nested style: the answer is how the flow ended, and takes the link back as the message took it here. */
async function answerWithOutcome(
  { interpreter, links, spans, config }: FlowRoutesOptions,
  call: Call,
  flow: Flow,
): Promise<void> {
  const { id, from, hops } = flow.state;
  const outcome = (await interpreter.run(flow)) as Outcome;
  const delayUs = links.delayUs(from, id, hops);
  if (delayUs > 0) {
    const startUs = spans.start(id);
    await links.sleep(delayUs);
    spans.end(startUs, id, 'link', config.name);
  }
  call.answer(200, JSON.stringify(outcome));
}
