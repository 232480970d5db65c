/** The work of `rules diff`: decide every kind of request of a topology by both rule files. */
import { type Architecture, architectures, ExitCode, type GatewayRequest, isEnforced } from '@topo-bench/core';
import {
  asksPayload,
  type ChangedStep,
  changedSteps,
  createOracle,
  type DecidedStep,
  rulesOf,
} from '@topo-bench/oracle';
import type { Graph } from '@topo-bench/topology';
import { classRequests } from '@topo-bench/workload';
import { printJson, printLine } from '../../../output.ts';
import { readRuledGraph } from '../read-rules.ts';
import type { DiffFlags } from './options.ts';

/** Payloads of each combination of origin and consents, where a rule reads them. */
const payloadsPerCombination = 64;
const seed = 1;

/** One change of a decision, for the requests of one class. */
interface Change extends ChangedStep {
  class: string;
  /** Share of the requests of the class, 0…1. */
  share: number;
  /** The first such request. */
  example: GatewayRequest;
}

interface Diff {
  changes: Change[];
  classes: number;
  requests: number;
  /** Every combination of origin and consents of every class was decided; payloads are drawn. */
  complete: boolean;
  readsPayload: boolean;
}

export async function action(before: string, after: string, { topology, json }: DiffFlags): Promise<void> {
  const diff = diffOf(await readRuledGraph(topology, before), await readRuledGraph(topology, after));
  if (json) printJson({ before, after, topology, ...diff });
  else print(before, after, diff);
  if (diff.changes.length > 0) process.exitCode = ExitCode.checkFailed;
}

function diffOf(before: Graph, after: Graph): Diff {
  const [old, now] = [createOracle(enforced(before)), createOracle(enforced(after))];
  const readsPayload = [before, after].some(asksAnyPayload);
  const changes = new Map<string, Change>();
  const { classes } = before.source.topology.requests;
  let requests = 0;
  let complete = true;
  for (const requestClass of classes) {
    const all = classRequests(requestClass, seed, readsPayload ? payloadsPerCombination : 1);
    complete &&= all.complete;
    requests += all.requests.length;
    for (const { request, share } of all.requests) {
      for (const step of changedSteps(old.expectedFlow(request), now.expectedFlow(request))) {
        const key = JSON.stringify([requestClass.name, step]);
        const known = changes.get(key);
        if (known) known.share += share;
        else changes.set(key, { class: requestClass.name, ...step, share, example: request });
      }
    }
  }
  return { changes: [...changes.values()], classes: classes.length, requests, complete, readsPayload };
}

/** All architectures that decide do it alike. */
function enforced({ source, services }: Graph): Pick<Graph, 'source' | 'services'> {
  const { topology } = source;
  const architecture = architectures.find(isEnforced) as Architecture;
  const enforcement = { ...topology.enforcement, architecture };
  return { services, source: { ...source, topology: { ...topology, enforcement } } };
}

function asksAnyPayload(graph: Graph): boolean {
  const { rules, conditions } = rulesOf(graph);
  return [...rules.map(({ when }) => when), ...Object.values(conditions)].some(asksPayload);
}

function print(before: string, after: string, { changes, classes, requests, complete, readsPayload }: Diff): void {
  for (const { class: name, service, before: old, after: now, share, example } of changes) {
    printLine(`${name} → ${service}: ${decisionText(old)} becomes ${decisionText(now)}`);
    const consents = example.consents.length > 0 ? example.consents.join(', ') : 'none';
    printLine(`    ${percent(share)} of the class, e.g. origin ${example.origin}, consents ${consents}`);
  }
  const kinds = `${requests} kinds of requests in ${classes} ${classes === 1 ? 'class' : 'classes'}`;
  const some = changes.length === 1 ? '1 decision changes' : `${changes.length} decisions change`;
  const count = changes.length === 0 ? 'no decision changes' : some;
  const drawn = readsPayload ? ' (payloads were drawn, not enumerated)' : complete ? '' : ' (drawn, not enumerated)';
  printLine(`${before} → ${after}: ${count} among ${kinds}${drawn}`);
}

function decisionText({ effect, rule, remove, pseudonymise }: DecidedStep): string {
  const hidden = [
    ...(remove.length > 0 ? [`without ${remove.join(', ')}`] : []),
    ...(pseudonymise.length > 0 ? [`with pseudonyms for ${pseudonymise.join(', ')}`] : []),
  ];
  return `${effect} by ${[rule ?? 'the default effect', ...hidden].join(' ')}`;
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))}%`;
}
