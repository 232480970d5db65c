/** The work of `rules explain`: the rule that decides one step, and the failed conditions of every other rule. */
import { type Facts, suggestName, TopoBenchError } from '@topo-bench/core';
import { type Explanation, explain, type RuleExplanation } from '@topo-bench/rule-engine';
import { expandRules, type Graph, targetFacts } from '@topo-bench/topology';
import { printJson, printLine } from '../../../output.ts';
import { readRuledGraph, readRules } from '../read-rules.ts';
import type { ExplainFlags } from './options.ts';
import { readRequest } from './read-request.ts';

export async function action(name: string, flags: ExplainFlags): Promise<void> {
  const { rules } = await readRules(name);
  const graph = flags.topology === undefined ? undefined : await readRuledGraph(flags.topology, name);
  const visited = flags.visited?.split(',').map((service) => service.trim()) ?? [];
  const facts: Facts = {
    request: await readRequest(flags.request),
    target: targetOf(flags.target, graph),
    flow: { services: visited, regions: regionsOf(visited, graph) },
  };
  // Rules of a topology include those that its services generate.
  const explanation = explain(graph?.rules ?? expandRules(rules, [{ name: flags.target }]), facts);
  if (flags.json) printJson({ facts, ...explanation });
  else print(flags.target, facts, graph !== undefined, explanation);
}

/** Without a topology only the name is known: node and region default as in the examples of rule files. */
function targetOf(service: string, graph: Graph | undefined): Facts['target'] {
  if (!graph) return { service, node: 'node-1', region: 'eu', tags: [] };
  const found = graph.services.find(({ name }) => name === service);
  if (found) return targetFacts(graph, found.index);
  const names = graph.services.map(({ name }) => name);
  throw new TopoBenchError('TB_TOPOLOGY_UNKNOWN_SERVICE', `the topology has no service ${JSON.stringify(service)}`, {
    hint: suggestName(service, names, 'services'),
  });
}

function regionsOf(visited: readonly string[], graph: Graph | undefined): string[] {
  return [...new Set(visited.flatMap((service) => (graph ? [targetOf(service, graph).region] : [])))];
}

function print(name: string, { target, flow }: Facts, placed: boolean, { decision, rules }: Explanation): void {
  const { effect, rule, to, remove, pseudonymise } = decision;
  printLine(
    `${name}: ${effect}${to === undefined ? '' : ` to ${to}`} by ${rule ?? 'the default effect: no rule matches'}`,
  );
  if (remove.length > 0) printLine(`  removed: ${remove.join(', ')}`);
  if (pseudonymise.length > 0) printLine(`  pseudonymised: ${pseudonymise.join(', ')}`);
  if (!placed) {
    const visited = flow.services.length > 0 ? '; visited services have no region' : '';
    printLine(`  assumed without --topology: node ${target.node}, region ${target.region}, no tags${visited}`);
  }
  for (const explained of rules) printRule(explained, rule);
}

function printRule({ rule, effect, matched, failed }: RuleExplanation, decider: string | undefined): void {
  const standing = matched ? (rule === decider ? 'decides' : 'matches too') : 'does not match';
  printLine(`\n${matched ? '✓' : '✗'} ${rule} (${effect}): ${standing}`);
  for (const { place, comparison, actual, expected, negated } of failed) {
    const value = actual === undefined ? 'nothing' : JSON.stringify(actual);
    const right = comparison.endsWith(JSON.stringify(expected) ?? '')
      ? ''
      : `, compared with ${JSON.stringify(expected)}`;
    printLine(`    ${place}: ${comparison} ${negated ? 'holds and must not' : 'fails'}: it is ${value}${right}`);
  }
}
