/** Describes set-up differences of two runs: machine, versions, experiment. They can cause a difference of figures. */
import { type RunFolder, setupDifferences } from '@topo-bench/core';
import type { RunRecord } from '@topo-bench/core/schema/result';
import { privilegeNotes } from './privilege-notes.ts';

export type SetupKind =
  | 'runner'
  | 'machine'
  | 'host of the services'
  | 'Node.js'
  | 'topo-bench'
  | 'database server'
  | 'seed'
  | 'experiment'
  | 'topology'
  | 'privilege';
type Rule = { what: SetupKind; of: RegExp };

const rules: readonly Rule[] = [
  { what: 'runner', of: /^experiment\.runner$/ },
  { what: 'Node.js', of: /^environment\.node$/ },
  { what: 'topo-bench', of: /^environment\.topoBench$/ },
  { what: 'machine', of: /^environment\./ },
  { what: 'seed', of: /^(experiment\.)?seed$/ },
  { what: 'topology', of: /^topology(\.|$)/ },
  { what: 'experiment', of: /^(name|experiment)(\.|$)/ },
];

const kinds: readonly SetupKind[] = [
  'runner',
  'Node.js',
  'topo-bench',
  'machine',
  'host of the services',
  'database server',
  'seed',
  'topology',
  'experiment',
];

/** Fields without influence on the figures, or with a note of their own (cells without a partner). */
const ignored = /^(experiment\.(thresholds|description|repetitions|factors|seed|name)|plannedCells|repetitions)(\.|$)/;

const shownPerKind = 3;

export interface SetupChange {
  what: SetupKind;
  text: string;
}

/**
 * One entry for each kind of difference, most important first, then one for each privilege that only one run had. Empty
 * for runs with the same set-up.
 * @param sides how the entry of a privilege names the two runs; default: baseline and candidate
 */
export function setupChanges(
  baseline: RunFolder,
  candidate: RunFolder,
  sides?: readonly [baseline: string, candidate: string],
): SetupChange[] {
  const ofGrants = privilegeNotes(baseline.cells, candidate.cells, sides).map((text) => ({
    what: 'privilege' as const,
    text,
  }));
  return [...recordChanges(baseline.record, candidate.record), ...ofGrants];
}

/** The texts of `setupChanges`. */
export function setupNotes(baseline: RunFolder, candidate: RunFolder): string[] {
  return setupChanges(baseline, candidate).map(({ text }) => text);
}

function recordChanges(baseline: RunRecord, candidate: RunRecord): SetupChange[] {
  const found = setupDifferences(baseline, candidate).filter(({ path }) => !ignored.test(path));
  const byKind = new Map<SetupKind, string[]>();
  for (const { path, before, now } of found) {
    const kind = rules.find(({ of }) => of.test(path))?.what;
    if (kind === undefined) continue;
    byKind.set(kind, [...(byKind.get(kind) ?? []), describe(kind, path, before, now)]);
  }
  const hosts = hostDifferences(baseline, candidate);
  if (hosts.length > 0) byKind.set('host of the services', hosts);
  const servers = serverDifferences(baseline.storeServers, candidate.storeServers);
  if (servers.length > 0) byKind.set('database server', servers);
  return kinds.flatMap((what) => {
    const texts = byKind.get(what);
    if (!texts) return [];
    const more = texts.length > shownPerKind ? [`and ${texts.length - shownPerKind} more`] : [];
    return [{ what, text: `${what} differs: ${[...texts.slice(0, shownPerKind), ...more].join('; ')}` }];
  });
}

const hostFields = ['node', 'platform', 'arch', 'cpuModel', 'cores', 'hostname'] as const;

/** Differences of the machines that services ran on, without those of the machine that topo-bench itself ran on. */
function hostDifferences(baseline: RunRecord, candidate: RunRecord): string[] {
  const [before, now] = [baseline.hosts ?? [], candidate.hosts ?? []];
  if (before.length === 0 || now.length === 0) return [];
  const valuesOf = (hosts: typeof before, field: (typeof hostFields)[number]): string =>
    [...new Set(hosts.map((host) => String(host[field])))].sort().join(', ');
  return hostFields.flatMap((field) => {
    const values: [string, string] = [valuesOf(before, field), valuesOf(now, field)];
    const own = [String(baseline.environment[field]), String(candidate.environment[field])];
    if (values[0] === values[1] || (values[0] === own[0] && values[1] === own[1])) return [];
    return [`${field} ${show(values[0])} → ${show(values[1])}`];
  });
}

type RunServer = NonNullable<RunRecord['storeServers']>[number];

/** Stores of both runs that were on different servers. */
function serverDifferences(
  baseline: RunRecord['storeServers'] = [],
  candidate: RunRecord['storeServers'] = [],
): string[] {
  const place = ({ address, image }: RunServer): string => address ?? image ?? 'one of topo-bench';
  return candidate.flatMap((server) => {
    const { engine, file, image } = server;
    const alike = baseline.filter((other) => other.engine === engine && other.file === file);
    const before = alike.find((other) => other.image === image) ?? alike[0];
    return before && place(before) !== place(server) ? [`${engine} ${place(before)} → ${place(server)}`] : [];
  });
}

function describe(kind: SetupKind, path: string, before: unknown, now: unknown): string {
  const values = `${show(before)} → ${show(now)}`;
  if (kind === 'runner' || kind === 'Node.js' || kind === 'topo-bench' || kind === 'seed') return values;
  return `${path.replace(/^environment\./, '')} ${values}`;
}

function show(value: unknown): string {
  const text = value === undefined ? 'absent' : typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
