/**
 * Findings of the published study, each tested with the data of a run. A finding is a set of claims "this variant
 * is faster than that one". Each repetition yields one number per claim: the mean logarithm, over the volumes, of
 * the ratio of times.
 */
import { type Claim, claimText, type FindingVerdict, roundsNeeded, verdictOf } from '../../published-claims.ts';
import { variantParts } from '../variants.ts';
import { type AccessCell, levelsOf, sourceName, wholeReads } from './access-cells.ts';
import { volumeSlopes } from './volume-slopes.ts';

export interface Finding {
  /** Words of the study. */
  statement: string;
  source: string;
  verdict: FindingVerdict;
  /** Evidence, one for each claim; empty for a finding whose variants or volumes were not measured. */
  evidence: string[];
}

export function judgeFindings(cells: readonly AccessCell[]): Finding[] {
  return levelsOf(cells, 'source').flatMap((source) => {
    const own = wholeReads(cells).filter((cell) => cell.source === source && cell.durations.size > 0);
    const variants = publishedVariants(own);
    const [native, others] = [variants.get('A'), ['B', 'C', 'D'].flatMap((letter) => variants.get(letter) ?? [])];
    const most = variants.get('D');
    const rest = ['A', 'B', 'C'].flatMap((letter) => variants.get(letter) ?? []);
    const ladder = ['A', 'B', 'C', 'D'].flatMap((letter) => variants.get(letter) ?? []);
    const pairs = (claims: (Claim | undefined)[]): Claim[] => claims.filter((one) => one !== undefined);
    return [
      judged(source, 'A, the native driver, is the fastest.', pairs(others.map((slow) => faster(own, native, slow)))),
      judged(source, 'D, with the Flight server, is the slowest.', pairs(rest.map((fast) => faster(own, fast, most)))),
      judged(
        source,
        'More layers, less speed.',
        pairs(ladder.slice(1).map((slow, at) => faster(own, ladder[at], slow))),
      ),
      levelFinding(source, own, ladder),
    ];
  });
}

/** The measured variant for each letter; the published place first. */
function publishedVariants(cells: readonly AccessCell[]): Map<string, string> {
  const places: Readonly<Record<string, readonly string[]>> = {
    A: ['native'],
    B: ['connector-container', 'connector-process'],
    C: ['connector-pod'],
    D: ['flight-pod', 'flight-container', 'flight-process'],
  };
  const measured = new Set(cells.map(({ variant }) => variant));
  return new Map(
    Object.entries(places).flatMap(([letter, variants]) => {
      const found = variants.find((variant) => measured.has(variant));
      return found === undefined ? [] : [[letter, found] as const];
    }),
  );
}

function faster(cells: readonly AccessCell[], fast: string | undefined, slow: string | undefined): Claim | undefined {
  if (fast === undefined || slow === undefined || fast === slow) return undefined;
  const volumes = levelsOf(cells, 'volume');
  const at = (variant: string, volume: number): AccessCell | undefined =>
    cells.find((cell) => cell.variant === variant && cell.volume === volume);
  const shared = volumes.filter((volume) => at(fast, volume) && at(slow, volume));
  const rounds = [...(at(fast, shared[0] ?? Number.NaN)?.durations.keys() ?? [])];
  const effects = rounds.flatMap((round) => {
    const logs = shared.map((volume) =>
      Math.log(
        (at(slow, volume)?.durations.get(round) ?? Number.NaN) / (at(fast, volume)?.durations.get(round) ?? Number.NaN),
      ),
    );
    const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
    return Number.isFinite(mean) ? [mean] : [];
  });
  return { text: `${slow} takes longer than ${fast}`, effects };
}

function judged(source: string, statement: string, claims: readonly Claim[]): Finding {
  const known = claims.filter(({ effects }) => effects.length > 0);
  const base = { statement, source: sourceName(source), evidence: known.map(claimText) };
  if (known.length === 0) return { ...base, verdict: 'undecided' };
  return { ...base, verdict: verdictOf(known) };
}

function levelFinding(source: string, cells: readonly AccessCell[], variants: readonly string[]): Finding {
  const slopes = volumeSlopes(cells).filter(({ variant }) => variants.includes(variant));
  const base = { statement: 'Throughput is level over volumes.', source: sourceName(source) };
  if (slopes.length === 0) return { ...base, verdict: 'undecided', evidence: [] };
  const verdict = slopes.some((slope) => slope.verdict === 'falls' || slope.verdict === 'rises')
    ? 'refuted'
    : slopes.every((slope) => slope.verdict === 'level')
      ? 'confirmed'
      : 'undecided';
  const evidence = slopes.map(({ variant, perDoubling: { estimate, interval }, rounds }) => {
    const within =
      rounds < roundsNeeded
        ? `${rounds} of ${roundsNeeded} rounds that an interval needs`
        : `95% interval ${interval[0].toFixed(3)} to ${interval[1].toFixed(3)}`;
    return `${variant}: × ${estimate.toFixed(3)} for each doubling (${within})`;
  });
  return { ...base, verdict, evidence };
}

/** Whether the run has any variant of the published study next to the native driver. */
export function hasPublishedVariants(cells: readonly AccessCell[]): boolean {
  const letters = new Set(cells.map(({ variant }) => variantParts[variant as keyof typeof variantParts]?.letter));
  return letters.has('A') && ['B', 'C', 'D'].some((letter) => letters.has(letter));
}
