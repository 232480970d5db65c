/** The data routes of an executor: flows handed over to it, and reports on the branches that it waits for. */
import { headers as headerNames } from '@topo-bench/core';
import {
  type FlowEnding,
  type FlowMessage,
  HopFailure,
  type Outcome,
  type OutcomeAnswer,
  receiveFlow,
} from '@topo-bench/flow';
import { type Call, type Route, roleBodyLimitBytes } from '../http/http-port.ts';
import { tokenGuard } from '../http/token-guard.ts';
import type { RoleParts } from '../role-parts.ts';
import type { FlowPerformer } from './flow-performer.ts';

type Parts = Pick<RoleParts, 'config' | 'counters' | 'links' | 'spans' | 'clock'>;

export function flowRoutes(parts: Parts, performer: FlowPerformer): Route[] {
  const { config, counters } = parts;
  const refuse = tokenGuard(headerNames.token, config.secrets.token);
  return [
    {
      method: 'POST',
      path: '/flow',
      bodyLimitBytes: roleBodyLimitBytes,
      refuse,
      handle: async (call) => {
        const flow = receiveFlow(call.body as FlowMessage, performer.role, call.parsedAtUs);
        counters.inFlight++;
        try {
          // In forward style the sender is done before any decision is made.
          if (config.style === 'forward') call.answer(202, '');
          const ending = await performer.follow(flow);
          if (ending.kind === 'answer') await answer(parts, call, ending);
          else if (ending.kind === 'report') await performer.sender.report(flow, ending.outcome, ending.crossing);
        } catch (error) {
          // A failed report is lost. The waiting role turns it into an error at its deadline.
          if (!(error instanceof HopFailure)) throw error;
        } finally {
          counters.inFlight--;
          counters.served++;
        }
      },
    },
    {
      method: 'POST',
      path: '/report',
      bodyLimitBytes: roleBodyLimitBytes,
      refuse,
      handle: (call) => {
        call.answer(202, '');
        performer.arrive(call.body as Outcome);
      },
    },
  ];
}

/** In nested style the answer crosses the link back to the sender. */
async function answer(
  { config, links, spans, clock }: Parts,
  call: Call,
  { outcome, back }: Extract<FlowEnding, { kind: 'answer' }>,
): Promise<void> {
  const { id } = outcome.state;
  const delayUs = back ? links.delayUs(back.node, id, back.hop) : 0;
  if (delayUs > 0) {
    const startUs = spans.start(id);
    await links.sleep(delayUs);
    spans.end(startUs, id, 'link', config.name);
  }
  const ownUs = spans.traces(id) ? { ownUs: clock.nowUs() - call.parsedAtUs } : {};
  call.answer(200, JSON.stringify({ ...outcome, ...ownUs } satisfies OutcomeAnswer));
}
