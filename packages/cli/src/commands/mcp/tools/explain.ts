/** `explain`: the rule that decides one step of a request. */
import { dirname, resolve } from 'node:path';
import { type Facts, type RequestFacts, shellLine, shellWord, suggestName, TopoBenchError } from '@topo-bench/core';
import { type ReadText, shownPath } from '@topo-bench/experiment/read-inputs';
import { explain } from '@topo-bench/rule-engine';
import { rulesPath, targetFacts } from '@topo-bench/topology';
import { openTopology } from '@topo-bench/workbench/open-topology';
import { optionWords } from '../command-words.ts';
import type { ToolContext } from '../tool-context.ts';

interface Asked {
  topology: string;
  service: string;
  request: Omit<RequestFacts, 'class'> & { class?: string | undefined };
  visited: string[];
}

export async function explainDecision(asked: Asked, { files }: ToolContext): Promise<object> {
  const { topology, service, request, visited } = asked;
  const path = await files.find('topologies', topology);
  const { graph } = await openTopology(path, {}, files.read);
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
  return {
    facts,
    ...explain(graph.rules, facts),
    source: 'computed from the rules: exact, without an interval',
    ...(await commandOf(asked, path, files.read)),
  };
}

/** Without rules in the topology, no command explains its decisions: its default effect decides. */
async function commandOf(
  { topology, service, request, visited }: Asked,
  path: string,
  read: ReadText,
): Promise<{ command?: string }> {
  const rules = rulesPath(await read(path));
  if (rules === undefined) return {};
  const flags = optionWords({ topology, target: service, visited: visited.join(',') || undefined });
  const file = shownPath(resolve(dirname(path), rules));
  const words = ['topo-bench', 'rules', 'explain', file, ...flags, '--request', '/dev/stdin'];
  return { command: `printf %s ${shellWord(JSON.stringify(request))} | ${shellLine(words)}` };
}
