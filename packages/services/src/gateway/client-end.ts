/** Answers the clients of the gateway, and asks roles about lost flows. */
import { type GatewayResponse, headers as headerNames, type LastSeen } from '@topo-bench/core';
import { gatewayAnswer, type RespondEffect } from '@topo-bench/flow';
import { atClient } from '../control/span-recorder.ts';
import type { ClientEnd } from '../executor/role-performer.ts';
import type { HopClient } from '../hops/hop-client.ts';
import type { Call } from '../http/http-port.ts';
import { HttpProblem } from '../http/http-problem.ts';
import type { RoleParts } from '../role-parts.ts';

export function clientEnd({ config, client, spans }: Pick<RoleParts, 'config' | 'client' | 'spans'>): ClientEnd {
  return {
    lastSeen: (id, withinUs) => lastSeenOfRoles(client, id, config.secrets.controlToken, withinUs),
    respond: (effect) => {
      if (effect.kind === 'refuse-duplicate') {
        const problem = new HttpProblem(409, 'duplicate-id', `a request with the id ${effect.id} is in flight`);
        effect.reply.answer(problem.status, problem.json);
        return;
      }
      const { id } = effect.outcome.state;
      const startUs = effect.endedBy === 'outcome' ? spans.start(id) : undefined;
      respond(effect);
      spans.end(startUs, id, 'work', config.name, atClient);
    },
  };

  function respond({ reply, outcome, rttUs, pastDeadline, ruleIds }: RespondEffect<Call>): void {
    const { state, verdict } = outcome;
    const { status, response } = gatewayAnswer(config.graph, state, verdict, rttUs, pastDeadline, ruleIds);
    reply.answer(status, JSON.stringify(response satisfies GatewayResponse), {
      [headerNames.rtt]: String(response.rttUs),
    });
  }
}

/** @returns by role, without roles that have not seen it or do not answer in time */
async function lastSeenOfRoles(
  client: HopClient,
  id: string,
  controlToken: string,
  withinUs: number,
): Promise<Map<string, LastSeen>> {
  const seen = new Map<string, LastSeen>();
  const path = `/control/seen/${encodeURIComponent(id)}`;
  const ask = async (name: string): Promise<void> => {
    try {
      const answer = await client.readControl(name, path, controlToken, withinUs / 1000);
      if (answer.status === 200) seen.set(name, JSON.parse(answer.text) as LastSeen);
    } catch {
      // The role that handed the flow to an unreachable role has recorded it too.
    }
  };
  await Promise.all(client.names.map(ask));
  return seen;
}
