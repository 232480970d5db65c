/** Checks the events of all cells: their targets and times, and what the services cannot have. */
import {
  type ErrorCode,
  formatUs,
  type Problem,
  roleStartUs,
  type SourceLocation,
  suggestName,
} from '@topo-bench/core';
import {
  type DrawnCrashes,
  endOfEventUs,
  type RoleEvent,
  roleEvents,
  rolesOfEvent,
  targetNames,
} from '@topo-bench/deployment';
import type { ExperimentCell } from '@topo-bench/trial';
import { levelFields } from '../named-levels.ts';
import type { ParsedExperiment } from './parse-experiment.ts';

type Fault = Pick<Problem, 'code' | 'message' | 'hint'>;

export function checkEvents(cells: readonly ExperimentCell[], parsed: ParsedExperiment): Problem[] {
  return cells.flatMap((cell) => {
    const { events } = cell.settings;
    if (events.length === 0) return [];
    const whole = obstacleToEvents(cell);
    if (whole) return [{ ...placeOfEvents(cell, parsed), ...whole }];
    const resolved = roleEvents(events, cell);
    const names = targetNames(cell);
    return [
      ...resolved.unknown.map(({ index, target }) => ({
        ...placeOfEvents(cell, parsed, index),
        ...fault('TB_EVENT_UNKNOWN_TARGET', unknownText(target, cell), suggestName(target, names, 'targets')),
      })),
      ...resolved.drawn.flatMap((crashes, at) =>
        [
          ...serviceFaults(crashes.name, crashes.roles, cell),
          ...startFaults(crashes.name, crashes.downUs, 'down', cell),
          ...drawnTimeFaults(crashes, cell),
          ...drawnOverlaps(crashes, [...resolved.events, ...resolved.drawn.slice(0, at)]),
        ].map((one) => ({ ...placeOfEvents(cell, parsed, crashes.index), ...one })),
      ),
      ...resolved.events.flatMap((event, at) =>
        [
          ...serviceFaults(event.name, rolesOfEvent(event), cell),
          ...sideFaults(event),
          ...timeFaults(event, cell),
          ...overlaps(event, resolved.events.slice(0, at), cell),
        ].map((one) => ({ ...placeOfEvents(cell, parsed, event.index), ...one })),
      ),
    ];
  });
}

/** A level with events states them as one text: their problems are at that level. */
export function placeOfEvents(
  { given }: ExperimentCell,
  { document, source }: ParsedExperiment,
  index?: number,
): SourceLocation {
  const level = levelFields(document.factors).find(
    ({ factor, level, field }) => field === 'events' && given[factor] === level,
  );
  return source.locate(level?.path ?? (index === undefined ? ['events'] : ['events', index]));
}

function fault(code: ErrorCode, message: string, hint: string): Fault {
  return { code, message, hint };
}

function obstacleToEvents({ study, settings: { load } }: ExperimentCell): Fault | undefined {
  if (!study.takesEvents) {
    const message = `a study of the kind ${study.kind} has no events`;
    return fault('TB_EVENT_UNSUPPORTED', message, 'leave `events` out: requests through a gateway alone have them');
  }
  if (load.driver === 'open') return undefined;
  const message = `events need scheduled arrivals, and load.driver is ${load.driver}`;
  return fault('TB_EVENT_UNSUPPORTED', message, 'set load.driver to open, with a rate');
}

function unknownText(target: string, { levels }: ExperimentCell): string {
  return `the target ${JSON.stringify(target)} is no role, kind of role, node or region under ${levels.architecture}`;
}

/** The process of topo-bench next to a user-supplied service is not the service. */
function* serviceFaults(name: string, roles: readonly string[], { graph }: ExperimentCell): Generator<Fault> {
  const user = graph.services.find((service) => service.user && roles.includes(service.name));
  if (!user) return;
  const message = `${name}: ${user.name} is a user-supplied service, which topo-bench does not break`;
  yield fault('TB_EVENT_UNSUPPORTED', message, 'name other roles, e.g. its enforcement point');
}

function* timeFaults(event: RoleEvent, cell: ExperimentCell): Generator<Fault> {
  const { name, atUs } = event;
  const { duration, runner } = cell.settings;
  const longer = 'choose an earlier time, or a longer `duration`';
  if (atUs >= duration) {
    const message = `${name} is at ${formatUs(atUs)}, expected a time before the end of the load at ${formatUs(duration)}`;
    yield fault('TB_EVENT_TIME', message, longer);
    return;
  }
  const endUs = endOfEventUs(event);
  const isCrash = event.kind === 'crash';
  const startUs = isCrash ? roleStartUs[runner] : 0;
  if (endUs !== Number.POSITIVE_INFINITY && endUs + startUs >= duration) {
    const what = isCrash ? 'restarts its target' : 'ends';
    const start = isCrash ? `, and a start takes about ${formatUs(startUs)} on the runner ${runner}` : '';
    const message = `${name} ${what} at ${formatUs(endUs)}${start}: expected to be over before the end of the load at ${formatUs(duration)}`;
    yield fault('TB_EVENT_TIME', message, isCrash ? `${longer}, or \`restart: never\`` : longer);
  }
  if (isCrash && event.restartUs !== undefined) yield* startFaults(name, event.restartUs, 'restart', cell);
}

function* startFaults(name: string, downUs: number, field: string, { settings }: ExperimentCell): Generator<Fault> {
  const { runner } = settings;
  const startUs = roleStartUs[runner];
  if (downUs >= startUs) return;
  const message = `${name}: a restart after ${formatUs(downUs)}, and a start takes about ${formatUs(startUs)} on the runner ${runner}: the time down would be that of the start`;
  yield fault('TB_EVENT_TIME', message, `write \`${field}: ${startUs / 1e3}ms\` or more`);
}

/** Roles that crash before they have started, and crashes that never come. */
function* drawnTimeFaults(
  { name, law, meanUs, downUs }: DrawnCrashes,
  { settings: { runner, duration } }: ExperimentCell,
): Generator<Fault> {
  const startUs = roleStartUs[runner];
  if (meanUs < startUs) {
    const message = `${name}: a crash every ${formatUs(meanUs)} on average, and a start takes about ${formatUs(startUs)} on the runner ${runner}`;
    yield fault('TB_EVENT_TIME', message, `write \`mean: ${startUs / 1e3}ms\` or more`);
  } else if (law === 'constant' && meanUs + downUs >= duration) {
    const message = `${name}: the first would end at ${formatUs(meanUs + downUs)}, expected a time before the end of the load at ${formatUs(duration)}`;
    yield fault('TB_EVENT_TIME', message, 'choose a shorter `mean`, or a longer `duration`');
  }
}

/** Its times are drawn, so no other event can be known to be apart. */
function* drawnOverlaps(crashes: DrawnCrashes, others: readonly (RoleEvent | DrawnCrashes)[]): Generator<Fault> {
  for (const other of others) {
    if ('kind' in other && (other.kind === 'partition' || other.kind === 'rules')) continue;
    const shared = other.roles.find((role) => crashes.roles.includes(role));
    if (shared === undefined) continue;
    const message = `${crashes.name} at drawn times may overlap ${other.name}: both have ${shared}`;
    yield fault('TB_EVENT_TIME', message, 'name different roles');
    return;
  }
}

/** A role of both sides would be separated from itself. */
function* sideFaults(event: RoleEvent): Generator<Fault> {
  if (event.kind !== 'partition') return;
  const [from, to] = event.sides;
  const both = from.find((role) => to.includes(role));
  if (both === undefined) return;
  yield fault(
    'TB_EVENT_UNKNOWN_TARGET',
    `${event.name}: ${both} is on both sides`,
    'name two sides without a common role',
  );
}

/** The process that an event stops or delays must not be down, starting or stopped by an earlier one. */
function* overlaps(event: RoleEvent, earlier: readonly RoleEvent[], { settings }: ExperimentCell): Generator<Fault> {
  const startUs = roleStartUs[settings.runner];
  const endOf = (one: RoleEvent): number => endOfEventUs(one) + (one.kind === 'crash' ? startUs : 0);
  if (event.kind === 'partition') return;
  for (const other of earlier) {
    if (other.kind === 'partition') continue;
    const apart = endOf(other) <= event.atUs || endOf(event) <= other.atUs;
    const shared = rolesOfEvent(event).find((role) => rolesOfEvent(other).includes(role));
    if (apart || shared === undefined) continue;
    const until = endOf(other);
    const end = until === Number.POSITIVE_INFINITY ? 'the end of the load' : formatUs(until);
    const message = `${event.name} at ${formatUs(event.atUs)} overlaps ${other.name} from ${formatUs(other.atUs)} to ${end}: both have ${shared}`;
    yield fault('TB_EVENT_TIME', message, 'let one end before the other begins, or name different roles');
    return;
  }
}
