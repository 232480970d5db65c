/** Differences between the set-ups of two runs. Repetitions of one run must come from one set-up. */
import type { RunRecord } from './schema/result.ts';

/** One field with different values in two set-ups, by path. */
export interface SetupDifference {
  path: string;
  before: unknown;
  now: unknown;
}

/**
 * Fields that affect the figures of a repetition. Kernel and memory size change with updates: recorded, not compared.
 */
const comparedEnvironment = ['topoBench', 'node', 'platform', 'arch', 'cpuModel', 'cores', 'hostname'] as const;

/** Differences of set-up between a recorded run and its continuation. */
export function setupDifferences(before: RunRecord, now: RunRecord): SetupDifference[] {
  return differences(setup(before), setup(now), '');
}

/** Fields of a record that may differ. All others are compared, and so are the inputs that a kind of study records. */
const mayDiffer: readonly string[] = [
  'schemaVersion',
  'status',
  'startedAt',
  'finishedAt',
  'command',
  'study',
  'inputs',
  'hosts',
  'storeServers',
  'notices',
  'failure',
  'search',
  'extendedFrom',
  'sideBySide',
] satisfies (keyof RunRecord)[];

function setup(record: RunRecord): unknown {
  const environment = Object.fromEntries(comparedEnvironment.map((key) => [key, record.environment[key]]));
  const compared = Object.entries(record).filter(([field]) => !mayDiffer.includes(field));
  // Through JSON, like the recorded side: an undefined field equals an absent one.
  return JSON.parse(JSON.stringify({ ...Object.fromEntries(compared), environment }));
}

function differences(before: unknown, now: unknown, path: string): SetupDifference[] {
  if (Object.is(before, now)) return [];
  if (!isContainer(before) || !isContainer(now) || Array.isArray(before) !== Array.isArray(now))
    return [{ path, before, now }];
  const keys = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...keys].flatMap((key) => differences(before[key], now[key], path === '' ? key : `${path}.${key}`));
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
