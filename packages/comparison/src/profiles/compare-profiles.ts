/**
 * Differences of self times per request between two sides, by function, over pairs of profiles. All functions are
 * tested at once by relabelling whole pairs (`maxTPValues`): the probability that any function is named by chance is at
 * most 5%, and the number of functions costs next to nothing.
 */
import type { DeploymentProfile, MissingProfile } from '@topo-bench/core';
import { cellScores, maxTPValues, pairedShift, signFlips } from '@topo-bench/stats';
import { type FunctionTime, functionTimes, type TimeKind } from './function-times.ts';

/** Six pairs can show a difference (p = 2/64). Two more allow for one that is disturbed. */
export const profiledPairs = 8;
/** Functions with a smaller share of the time of both sides are no row of the test. */
const minShare = 0.001;
const alpha = 0.05;
const maxNamed = 5;

/** One side of a pair. */
export interface ProfiledSide {
  profile: DeploymentProfile;
  /** Requests that were answered while the profiles were taken. */
  requests: number;
}

/** µs per request, candidate − baseline: Hodges–Lehmann with the 95% interval of the signed-rank test. */
export interface TimeDifference {
  us: number;
  intervalUs: [low: number, high: number];
}

export interface FunctionDifference extends TimeDifference {
  kind: TimeKind;
  /** Empty for an anonymous function, and where `kind` is no function. */
  name: string;
  /** Relative path, as the candidate has it; the baseline where only that has the function. */
  file: string;
  line: number;
  /** Roles and services that run it. */
  roles: string[];
  /** Over all functions (max-T). */
  adjustedPValue: number;
}

export interface ProfileDifference {
  pairs: number;
  /** All that was profiled. */
  total: TimeDifference;
  /** Those that are shown to differ, the largest first, five at most. */
  functions: FunctionDifference[];
  /** How many more are shown to differ. */
  more: number;
  missing: MissingProfile[];
}

interface Row {
  place: Omit<FunctionTime, 'us'>;
  roles: Set<string>;
  /** µs per request, by side and pair. */
  baseline: Float64Array;
  candidate: Float64Array;
  /** µs per request by line, over all pairs: functions of one name are one row. */
  lines: Map<number, number>;
}

/** @param pairs at least one; fewer than six show nothing */
export function compareProfiles(
  pairs: readonly { baseline: ProfiledSide; candidate: ProfiledSide }[],
): ProfileDifference {
  const rows = rowsOf(pairs);
  const all = totalsOf(rows, pairs.length);
  const spent = sumOf(all.baseline) + sumOf(all.candidate);
  const tested = rows.filter((row) => sumOf(row.baseline) + sumOf(row.candidate) >= minShare * spent);
  const scores = tested.map((row) => cellScores(differencesOf(row)));
  const pValues = maxTPValues(scores, signFlips(pairs.length), 'different');
  const shown = tested
    .map((row, at) => functionDifference(row, pValues[at] as number))
    .filter(({ adjustedPValue, intervalUs: [low, high] }) => adjustedPValue <= alpha && low * high > 0)
    .sort((a, b) => Math.abs(b.us) - Math.abs(a.us));
  const missing = pairs.flatMap(({ baseline, candidate }) => [baseline, candidate].flatMap(missingOf));
  return {
    pairs: pairs.length,
    total: differenceOf(all),
    functions: shown.slice(0, maxNamed),
    more: Math.max(0, shown.length - maxNamed),
    missing: [...new Map(missing.map((one) => [`${one.role}\n${one.why}`, one])).values()],
  };
}

function missingOf({ profile }: ProfiledSide): readonly MissingProfile[] {
  return profile.missing;
}

/** One row for each function of equal name and file, whatever role runs it. */
function rowsOf(pairs: readonly { baseline: ProfiledSide; candidate: ProfiledSide }[]): Row[] {
  const rows = new Map<string, Row>();
  // The candidate first: its names of files count.
  const files = new Map<string, Pick<FunctionTime, 'file' | 'path'>>();
  for (const side of ['candidate', 'baseline'] as const) {
    for (const [at, pair] of pairs.entries()) {
      const { profile, requests } = pair[side];
      for (const program of profile.programs) {
        for (const { us, ...place } of functionTimes(program)) {
          const ofBoth = [program.role, place.fileOfBoth].join('\n');
          const { file, path } = files.get(ofBoth) ?? place;
          files.set(ofBoth, { file, path });
          const key = [place.kind, place.name, path].join('\n');
          const row = rows.get(key) ?? newRow({ ...place, file, path }, pairs.length);
          rows.set(key, row);
          const perRequest = us / Math.max(1, requests);
          row[side][at] = (row[side][at] as number) + perRequest;
          row.roles.add(program.role);
          row.lines.set(place.line, (row.lines.get(place.line) ?? 0) + (side === 'candidate' ? perRequest : 0));
        }
      }
    }
  }
  return [...rows.values()];
}

function newRow(place: Row['place'], pairs: number): Row {
  const times = () => new Float64Array(pairs);
  return { place, roles: new Set(), baseline: times(), candidate: times(), lines: new Map() };
}

type Times = Pick<Row, 'baseline' | 'candidate'>;

function totalsOf(rows: readonly Row[], pairs: number): Times {
  const total = (side: 'baseline' | 'candidate'): Float64Array =>
    Float64Array.from({ length: pairs }, (_, at) => rows.reduce((sum, row) => sum + (row[side][at] as number), 0));
  return { baseline: total('baseline'), candidate: total('candidate') };
}

function functionDifference(row: Row, adjustedPValue: number): FunctionDifference {
  const { kind, name, file } = row.place;
  const [[line] = [0]] = [...row.lines].sort(([, a], [, b]) => b - a);
  return { kind, name, file, line, roles: [...row.roles].sort(), adjustedPValue, ...differenceOf(row) };
}

function differenceOf(times: Times): TimeDifference {
  const { estimate, interval } = pairedShift(differencesOf(times), alpha);
  return { us: estimate, intervalUs: [interval[0], interval[1]] };
}

function differencesOf({ baseline, candidate }: Times): Float64Array {
  return candidate.map((us, at) => us - (baseline[at] as number));
}

function sumOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}
