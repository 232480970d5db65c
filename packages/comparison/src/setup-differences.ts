/** Describes set-up differences of two runs: machine, versions, experiment. They can cause a difference of figures. */
import { type RunFolder, setupDifferences } from '@topo-bench/core';
import type { RunRecord } from '@topo-bench/core/schema/result';
import { grantNotes } from './grants.ts';

type Kind = 'machine' | 'Node.js' | 'topo-bench' | 'database server' | 'seed' | 'experiment' | 'topology';
type Rule = { what: Kind; of: RegExp };

const rules: readonly Rule[] = [
  { what: 'Node.js', of: /^environment\.node$/ },
  { what: 'topo-bench', of: /^environment\.topoBench$/ },
  { what: 'machine', of: /^environment\./ },
  { what: 'seed', of: /^(experiment\.)?seed$/ },
  { what: 'topology', of: /^topology(\.|$)/ },
  { what: 'experiment', of: /^(name|experiment|plannedCells|repetitions)(\.|$)/ },
];

const kinds: readonly Kind[] = [
  'Node.js',
  'topo-bench',
  'machine',
  'database server',
  'seed',
  'topology',
  'experiment',
];

/** Fields without influence on the figures, or with a note of their own (cells without a partner). */
const ignored = /^(experiment\.(thresholds|description|repetitions|factors|seed)|plannedCells)(\.|$)/;

const shownPerKind = 3;

/**
 * One line for each kind of difference, most important first, then one for each privilege that only one run had. Empty
 * for runs with the same set-up.
 */
export function setupNotes(baseline: RunFolder, candidate: RunFolder): string[] {
  return [...recordNotes(baseline.record, candidate.record), ...grantNotes(baseline.cells, candidate.cells)];
}

function recordNotes(baseline: RunRecord, candidate: RunRecord): string[] {
  const found = setupDifferences(baseline, candidate).filter(({ path }) => !ignored.test(path));
  const byKind = new Map<Kind, string[]>();
  for (const { path, before, now } of found) {
    const kind = rules.find(({ of }) => of.test(path))?.what;
    if (kind === undefined) continue;
    byKind.set(kind, [...(byKind.get(kind) ?? []), describe(kind, path, before, now)]);
  }
  const servers = serverDifferences(baseline.storeServers, candidate.storeServers);
  if (servers.length > 0) byKind.set('database server', servers);
  return kinds.flatMap((what) => {
    const texts = byKind.get(what);
    if (!texts) return [];
    const more = texts.length > shownPerKind ? [`and ${texts.length - shownPerKind} more`] : [];
    return [`${what} differs: ${[...texts.slice(0, shownPerKind), ...more].join('; ')}`];
  });
}

/** Stores of both runs that were on different servers. */
function serverDifferences(
  baseline: RunRecord['storeServers'] = [],
  candidate: RunRecord['storeServers'] = [],
): string[] {
  const place = (address: string | undefined): string => address ?? 'one of topo-bench';
  return candidate.flatMap(({ engine, file, address }) => {
    const before = baseline.find((server) => server.engine === engine && server.file === file);
    return before && before.address !== address ? [`${engine} ${place(before.address)} → ${place(address)}`] : [];
  });
}

function describe(kind: Kind, path: string, before: unknown, now: unknown): string {
  const values = `${show(before)} → ${show(now)}`;
  if (kind === 'Node.js' || kind === 'topo-bench' || kind === 'seed') return values;
  return `${path.replace(/^environment\./, '')} ${values}`;
}

function show(value: unknown): string {
  const text = value === undefined ? 'absent' : typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
