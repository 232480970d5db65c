/** Loads the graph from the texts of a topology and its rules. Reports all problems of both files at once. */
import { type Problem, TopoBenchError } from '@topo-bench/core';
import { type RulesFile, type RulesInput, rulesFile } from '@topo-bench/core/schema/rules';
import { type TopologyFile, type TopologyInput, topologyFile } from '@topo-bench/core/schema/topology';
import { applyOverrides, type Overrides } from './apply-overrides.ts';
import { buildGraph } from './build-graph.ts';
import { checkRuleValues } from './check-rule-values.ts';
import { checkAlternatives, checkItemRules, checkReroutes, checkRules } from './check-rules.ts';
import { checkFields, checkTopology } from './check-topology.ts';
import type { Finding } from './finding.ts';
import type { Graph } from './graph.ts';
import { listServices } from './list-services.ts';
import { type CheckedValue, checkValue, problemsOf } from './read-document.ts';
import { reservedConditions, reservedNames } from './reserved-names.ts';
import { parseSource, type SourceDocument, type SourceText } from './source-document.ts';
import { checkVariables } from './user-service.ts';
import { valueAt } from './value-at.ts';

export interface TopologySources {
  topology: SourceText;
  /** The file at `rulesPath`; without it no rules are enforced. */
  rules?: SourceText | undefined;
  overrides?: Overrides | undefined;
  /** Other factors will set other fields: findings on fields that only fit together are left out. */
  isPartial?: boolean | undefined;
}

export interface LoadedTopology {
  /** Absent when there are errors (warnings alone do not count). */
  graph?: Graph;
  /** The files with units and defaults applied, each absent when it has errors. */
  topology?: TopologyFile;
  rules?: RulesFile;
  /** Errors and warnings of both files, each file in reading order. */
  problems: Problem[];
}

/**
 * Reads the files, applies overrides, checks, and builds the graph. A problem of an overridden field is placed at that
 * field in the file, or at its nearest existing parent.
 * @throws TopoBenchError `TB_OVERRIDE_UNKNOWN_FIELD`, `TB_OVERRIDE_INVALID`: the fault is outside the files
 */
export function loadTopology({ topology, rules, overrides = {}, isPartial = false }: TopologySources): LoadedTopology {
  const topologyPart = readPart(
    topology,
    (value) => withFindings(reservedNames(value), checkValue(topologyFile, applyOverrides(value, overrides))),
    isPartial ? checkFields : checkTopology,
  );
  const rulesPart = rules && readPart(rules, readRules, checkRules);
  const { read: topologyRead } = topologyPart;
  if (topologyRead && topologyPart.findings.every(({ code }) => code !== 'TB_TOPOLOGY_TOO_MANY_SERVICES')) {
    const services = listServices(topologyRead);
    topologyPart.findings.push(...checkVariables(topologyRead, topologyPart.source));
    if (rulesPart?.read) {
      rulesPart.findings.push(...checkReroutes(rulesPart.read, services), ...checkItemRules(rulesPart.read, services));
      if (isSound(rulesPart)) rulesPart.findings.push(...checkRuleValues(rulesPart.read, topologyRead, services));
    }
    // If the named rule file is missing or unreadable, it may contain rules for the alternatives.
    const rulesAreKnown = rules ? rulesPart?.read !== undefined : topologyRead.rules === undefined;
    if (rulesAreKnown) topologyPart.findings.push(...checkAlternatives(rulesPart?.read, services));
  }

  const problems = [topologyPart, rulesPart].flatMap((part) => (part ? allProblems(part) : []));
  const topologyValue = isSound(topologyPart) ? topologyPart.read : undefined;
  const rulesValue = rulesPart && isSound(rulesPart) ? rulesPart.read : undefined;
  const complete = topologyValue && (!rules || rulesValue);
  return {
    ...(complete ? { graph: buildGraph(topologyValue, rulesValue, folderOf(topology.file)) } : {}),
    ...(topologyValue ? { topology: topologyValue } : {}),
    ...(rulesValue ? { rules: rulesValue } : {}),
    problems,
  };
}

/** Keeps the form of the path: absolute stays absolute, relative stays relative. */
function folderOf(file: string): string {
  const end = Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\'));
  return end < 0 ? '.' : file.slice(0, end) || '/';
}

/** Reads and checks a rule file on its own. Reroute targets can only be checked with a topology. */
export function loadRules(rules: SourceText): { rules?: RulesFile; problems: Problem[] } {
  const part = readPart(rules, readRules, checkRules);
  return { ...(isSound(part) && part.read ? { rules: part.read } : {}), problems: allProblems(part) };
}

/** Path of the topology's rule file, relative to the topology; undefined when it names none. */
export function rulesPath(topology: SourceText, overrides: Overrides = {}): string | undefined {
  const path = valueAt(applyOverrides(parseSource(topology).value, overrides), ['rules']);
  return typeof path === 'string' ? path : undefined;
}

/**
 * Builds the graph of a topology, optionally with rules, given as plain data.
 * @throws TopoBenchError with the code of the first error and all problems
 */
export function graphOf(topology: TopologyInput, rules?: RulesInput, overrides?: Overrides): Graph {
  const text = (file: string, value: unknown): SourceText => ({ file, text: JSON.stringify(value, undefined, 2) });
  const { graph, problems } = loadTopology({
    topology: text('topology', topology),
    rules: rules && text('rules', rules),
    overrides,
  });
  if (graph) return graph;
  const first = problems.find(({ severity }) => severity !== 'warning') as Problem;
  throw new TopoBenchError(first.code, first.message, { problems });
}

interface Part<T> {
  source: SourceDocument;
  /** The readable part of the file, without faulty fields. */
  read?: T | undefined;
  findings: Finding[];
}

function readPart<T>(
  text: SourceText,
  read: (value: unknown) => { value?: T; partial?: T; findings: Finding[] },
  check: (value: T) => Finding[],
): Part<T> {
  const source = parseSource(text);
  if (source.problems.length > 0) return { source, findings: [] };
  const { value, partial, findings } = read(source.value);
  const usable = value ?? partial;
  return { source, read: usable, findings: usable === undefined ? findings : [...findings, ...check(usable)] };
}

const readRules = (value: unknown): CheckedValue<RulesFile> =>
  withFindings(reservedConditions(value), checkValue(rulesFile, value));

function withFindings<T>(found: readonly Finding[], { value, partial, findings }: CheckedValue<T>): CheckedValue<T> {
  const known = new Set(findings.map(({ path }) => path.join('\0')));
  const usable = value ?? partial;
  return {
    ...(usable !== undefined && { [found.length === 0 && value !== undefined ? 'value' : 'partial']: usable }),
    findings: [...findings, ...found.filter(({ path }) => !known.has(path.join('\0')))],
  };
}

function allProblems({ source, findings }: Part<unknown>): Problem[] {
  return [...source.problems, ...problemsOf(findings, source)];
}

function isSound({ source, findings }: Part<unknown>): boolean {
  return source.problems.length === 0 && findings.every(({ severity }) => severity === 'warning');
}
