/** The work of `rules check`: the parts of all enforcement points, as they would be deployed, against the whole. */
import { architectures, architectureTable, ExitCode, isEnforced } from '@topo-bench/core';
import { rulesOfPoint } from '@topo-bench/deployment';
import { checkSplits, type Split, type SplitCheck } from '@topo-bench/oracle';
import { enforcementArchitectures, type Graph } from '@topo-bench/topology';
import { printJson, printLine } from '../../../output.ts';
import { readRuledGraph } from '../read-rules.ts';
import type { CheckFlags } from './options.ts';

/** Every number of routers up to here, then twice as many each time. */
const everyRouterCount = 32;

export async function action(name: string, { topology, json }: CheckFlags): Promise<void> {
  const graph = await readRuledGraph(topology, name);
  const splits = splitsOf(graph);
  const check = checkSplits(graph, splits);
  if (json) printJson({ rulesFile: name, topology, splits: splits.map((split) => split.name), ...check });
  else print(name, splits.length, check);
  if (check.differences.length > 0) process.exitCode = ExitCode.checkFailed;
}

function splitsOf(graph: Graph): Split[] {
  const { services } = graph;
  const split = (name: string, enforcement: Partial<Graph['enforcement']>): Split => {
    const deployed: Graph = { ...graph, enforcement: { ...graph.enforcement, ...enforcement } };
    const architecture = enforcementArchitectures[deployed.enforcement.architecture];
    const points = architecture.points(deployed);
    const takeover = deployed.enforcement.resilience?.takeover ?? false;
    return {
      name,
      points: points.map(({ name: point, services: own }, at) => {
        const takesOver = (other: number): boolean =>
          takeover && other !== at && architecture.takenOverBy?.(other, points.length) === at;
        const ruled = [...own, ...points.flatMap((other, index) => (takesOver(index) ? other.services : []))];
        return {
          point,
          targets: ruled.map((service) => services[service]?.name as string),
          rules: rulesOfPoint(ruled, deployed),
        };
      }),
    };
  };
  return architectures.filter(isEnforced).flatMap((architecture) => {
    if (architectureTable[architecture].count !== 'routers') return [split(architecture, { architecture })];
    return routerCounts(services.length).map((routers) =>
      split(`${architecture}, k = ${routers}`, { architecture, routers }),
    );
  });
}

function routerCounts(services: number): number[] {
  const counts: number[] = [];
  for (let k = 1; k < services; k = k < everyRouterCount ? k + 1 : k * 2) counts.push(k);
  return [...counts, services];
}

function print(name: string, splits: number, { rules, services, proved, differences }: SplitCheck): void {
  for (const { split, point, service, rule, problem, example } of differences) {
    const what = { lacks: 'has no rule', differs: 'has another form of', superfluous: 'has the unknown rule' }[problem];
    printLine(`✗ ${split}: ${point} ${what} ${rule ?? 'the default effect or a named condition'}, for ${service}`);
    if (!example) printLine('    no request was found on which they differ, and none is excluded');
    else {
      const { facts, whole, part } = example;
      printLine(`    request: ${JSON.stringify(facts.request)}`);
      printLine(`    data at: ${facts.flow.services.join(', ') || 'no service before'}`);
      printLine(`    all rules: ${whole.effect} by ${whole.rule ?? 'the default effect'} (${whole.rules.join(', ')})`);
      printLine(`    ${point}: ${part.effect} by ${part.rule ?? 'the default effect'} (${part.rules.join(', ')})`);
    }
  }
  const size = `${rules} rules, ${services} services, ${splits} splits, ${proved} pairs of rule and service never match`;
  if (differences.length === 0) printLine(`✓ ${name}: all splits decide every request alike (${size})`);
  else printLine(`${name}: ${differences.length} points decide differently (${size})`);
}
