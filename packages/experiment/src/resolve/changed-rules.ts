/**
 * The rules of each change during a load, as graphs of a cell: those of a file, or fields that are set in the rules
 * before. Rules that do not go with the deployment are problems of their event.
 */
import { formatUs, type Problem, type SourceLocation, suggestName } from '@topo-bench/core';
import type { ExperimentEvent } from '@topo-bench/core/schema/experiment';
import { endOfEventUs, roleEvents, rolesOfEvent, ruleChangeObstacle } from '@topo-bench/deployment';
import { type Graph, parseOverridePath, parseSource, type SourceText } from '@topo-bench/topology';
import type { ExperimentCell } from '@topo-bench/trial';
import type { OverriddenTopology } from './overridden-topology.ts';

type Levels = Readonly<Record<string, unknown>>;
type RulesEvent = Extract<ExperimentEvent, { rules: unknown }>;
type Set = Readonly<Record<string, unknown>>;

export interface ChangedRules {
  /** In the order of the times of the events. */
  graphs: Graph[];
  problems: Problem[];
}

/** Two changes must not be in progress at once. A push takes milliseconds. */
const minApartUs = 100_000;

/**
 * @param otherRules texts of rule files by the path that an event names
 * @param placeOf place of an event by its index in the experiment
 */
export function changedRules(
  cell: ExperimentCell,
  levels: Levels,
  topology: OverriddenTopology,
  otherRules: Readonly<Record<string, SourceText>>,
  placeOf: (index: number) => SourceLocation,
): ChangedRules {
  const changes = rulesEvents(cell.settings.events);
  const problems: Problem[] = [];
  let inForce = topology.rulesAt(levels);
  const { duration: durationUs } = cell.settings;
  const confirmation = new Confirmation(cell);
  const { apartUs } = confirmation;
  const graphs = changes.flatMap(({ event: { at, rules }, index }, i): Graph[] => {
    const place = placeOf(index);
    const before = changes[i - 1]?.event.at;
    const ofBefore = before === undefined ? undefined : confirmation.of(before);
    if (before !== undefined && ofBefore && at < Math.max(before + apartUs, ofBefore.untilUs)) {
      const until = ofBefore.waitsFor === undefined ? '' : `, and for \`${ofBefore.waitsFor}\` to end`;
      problems.push({
        ...place,
        code: 'TB_EVENT_TIME',
        message: `the rules change ${(at - before) / 1e3} ms after another change, which may still be in progress`,
        hint: `leave ${apartUs / 1e3} ms or more between changes of rules${until}`,
      });
    }
    const own = confirmation.of(at);
    if (at < durationUs && own.untilUs >= durationUs) {
      const why =
        own.waitsFor === undefined
          ? `points ask every ${formatUs(confirmation.pollUs)}`
          : `\`${own.waitsFor}\` delays it`;
      problems.push({
        ...place,
        code: 'TB_EVENT_TIME',
        message: `the rules change at ${formatUs(at)}, and may not be confirmed before the end of the load at ${formatUs(durationUs)}: ${why}`,
        hint: 'choose an earlier time, or a longer `duration`',
      });
    }
    let next: SourceText | undefined;
    if (typeof rules === 'string') next = otherRules[rules];
    else {
      const changed = withFields(inForce, rules.set);
      if ('fault' in changed) {
        problems.push({ ...place, code: 'TB_OVERRIDE_UNKNOWN_FIELD', ...changed.fault });
        return [];
      }
      next = { file: inForce?.file ?? 'rules', text: JSON.stringify(changed.document) };
    }
    if (!next) return [];
    inForce = next;
    const { graph, problems: found } = topology.withRules(levels, next);
    // The text with fields that are set has no lines of a file.
    const placed = typeof rules === 'string' ? found : found.map((problem) => ({ ...problem, ...place }));
    problems.push(...placed.filter(({ severity }) => severity !== 'warning'));
    if (!graph) return [];
    const obstacle = ruleChangeObstacle(graph, cell);
    if (obstacle) problems.push({ ...place, code: 'TB_EVENT_UNSUPPORTED', ...obstacle });
    return [graph];
  });
  return { graphs, problems };
}

/** Until when a change may be in progress. */
class Confirmation {
  /** Least time between changes. */
  readonly apartUs: number;
  /** Between two questions of a point; 0 where it need not ask. */
  readonly pollUs: number;
  /** Events during which a role confirms nothing, in the order of their times. */
  readonly #stops: { name: string; fromUs: number; toUs: number }[];

  constructor({ graph, plan, settings }: ExperimentCell) {
    const { distribution } = graph.enforcement;
    this.pollUs = typeof distribution === 'object' ? distribution.poll : 0;
    this.apartUs = Math.max(this.pollUs, minApartUs);
    const confirming = plan.roles.filter(({ kind }) => kind !== 'service').map(({ name }) => name);
    const [gateway] = plan.roles.map(({ name }) => name);
    this.#stops = roleEvents(settings.events, { graph, plan })
      .events.filter(({ kind }) => kind === 'freeze' || (kind === 'crash' && distribution !== 'push'))
      // A role that is down has nothing to confirm, but points fetch their rules from the first gateway.
      .filter((event) =>
        rolesOfEvent(event).some((role) => (event.kind === 'crash' ? role === gateway : confirming.includes(role))),
      )
      .map((event) => ({ name: event.name, fromUs: event.atUs, toUs: endOfEventUs(event) }))
      .sort((one, other) => one.fromUs - other.fromUs);
  }

  /** @returns the last event that delays it, too */
  of(atUs: number): { untilUs: number; waitsFor?: string } {
    let [untilUs, waitsFor]: [number, string?] = [atUs + this.pollUs];
    for (const { name, fromUs, toUs } of this.#stops)
      if (fromUs <= untilUs && atUs < toUs) [untilUs, waitsFor] = [Math.max(untilUs, toUs + this.pollUs), name];
    return { untilUs, ...(waitsFor !== undefined && { waitsFor }) };
  }
}

/** Changes of rules in the order of their times. */
function rulesEvents(events: readonly ExperimentEvent[]): { event: RulesEvent; index: number }[] {
  const changes = events.flatMap((event, index) => ('rules' in event ? [{ event, index }] : []));
  return changes.sort((one, other) => one.event.at - other.event.at);
}

type Fault = Pick<Problem, 'message' | 'hint'>;

/** A copy of rules with fields set by path. A step into the list of rules is an index or an id. */
function withFields(source: SourceText | undefined, set: Set): { document: unknown } | { fault: Fault } {
  const empty = { apiVersion: 'topo-bench/v1', kind: 'Rules', name: 'rules', rules: [] };
  const document = structuredClone(source ? parseSource(source).value : empty) as Record<string, unknown>;
  for (const [text, value] of Object.entries(set)) {
    const path = parseOverridePath(text);
    let at: unknown = document;
    for (const [depth, step] of path.entries()) {
      const key = Array.isArray(at) ? entryOf(at, step) : String(step);
      const isOwn = typeof at === 'object' && at !== null && key !== '__proto__';
      const holder = at as Record<string | number, unknown>;
      if (!isOwn || key === undefined || (depth > 0 && !Object.hasOwn(holder, key))) {
        const known = Array.isArray(at) ? at.map((one) => String((one as { id?: unknown }).id)) : Object.keys(at ?? {});
        return {
          fault: {
            message: `the rules have no field ${JSON.stringify(text)}`,
            hint: suggestName(String(step), known, 'fields'),
          },
        };
      }
      if (depth === path.length - 1) holder[key] = value;
      else at = holder[key];
    }
  }
  return { document };
}

function entryOf(list: readonly unknown[], step: string | number): number | undefined {
  const index = list.findIndex((entry) => (entry as { id?: unknown } | null)?.id === step);
  if (index >= 0) return index;
  return typeof step === 'number' && step < list.length ? step : undefined;
}
