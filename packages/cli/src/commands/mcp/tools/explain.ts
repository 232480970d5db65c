/** `explain`: the rule that decides one step of a request. */
import { type Facts, type RequestFacts, suggestName, TopoBenchError } from '@topo-bench/core';
import { explain } from '@topo-bench/rule-engine';
import { targetFacts } from '@topo-bench/topology';
import { openTopology } from '@topo-bench/workbench/open-topology';
import type { ToolContext } from '../tool-context.ts';

interface Asked {
  topology: string;
  service: string;
  request: Omit<RequestFacts, 'class'> & { class?: string | undefined };
  visited: string[];
}

export async function explainDecision(asked: Asked, { files }: ToolContext): Promise<object> {
  const { topology, service, request, visited } = asked;
  const { graph } = await openTopology(await files.find('topologies', topology), {}, files.read);
  const targetOf = (name: string): Facts['target'] => {
    const found = graph.services.find((one) => one.name === name);
    if (found) return targetFacts(graph, found.index);
    const names = graph.services.map((one) => one.name);
    throw new TopoBenchError('TB_TOPOLOGY_UNKNOWN_SERVICE', `the topology has no service ${JSON.stringify(name)}`, {
      hint: suggestName(name, names, 'services'),
    });
  };
  const regions = [...new Set(visited.map((name) => targetOf(name).region))];
  const facts: Facts = {
    request: { ...request, class: request.class ?? 'example' },
    target: targetOf(service),
    flow: { services: visited, regions },
  };
  const command = `topo-bench rules explain RULES --topology ${topology} --target ${service} --request REQUEST.json`;
  return {
    facts,
    ...explain(graph.rules, facts),
    source: 'computed from the rules: exact, without an interval',
    command,
  };
}
