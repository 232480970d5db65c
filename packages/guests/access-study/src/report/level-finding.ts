/** The finding that throughput is level over volumes. The study states it for PostgreSQL alone. */
import { roundsNeeded } from '@topo-bench/study-kit/published-claims';
import type { AccessCell } from './access-cells.ts';
import type { Judged } from './finding.ts';
import { type VolumeSlope, volumeSlopes } from './volume-slopes.ts';

/** @param variants those of the published study */
export function judgeLevel(source: string, cells: readonly AccessCell[], variants: readonly string[]): Judged {
  const slopes = volumeSlopes(cells).filter(({ variant }) => variants.includes(variant));
  const whose = source === 'postgresql' ? '' : ' (the study states it for PostgreSQL alone)';
  return {
    statement: `Throughput is level over volumes${whose}.`,
    verdict: verdictOf(slopes),
    evidence: slopes.map(slopeText),
  };
}

function verdictOf(slopes: readonly VolumeSlope[]): Judged['verdict'] {
  if (slopes.some(({ verdict }) => verdict === 'falls' || verdict === 'rises')) return 'refuted';
  return slopes.length > 0 && slopes.every(({ verdict }) => verdict === 'level') ? 'confirmed' : 'undecided';
}

function slopeText({ variant, afterStart: { estimate, interval }, overall, rounds }: VolumeSlope): string {
  const within =
    rounds < roundsNeeded
      ? `${rounds} of ${roundsNeeded} rounds that an interval needs`
      : `95% interval ${interval[0].toFixed(3)} to ${interval[1].toFixed(3)}`;
  const change = `× ${estimate.toFixed(3)} for each doubling from the first data on (${within})`;
  return `${variant}: ${change}, × ${overall.estimate.toFixed(3)} with its start`;
}
