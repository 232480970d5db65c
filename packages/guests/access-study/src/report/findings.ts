/** Findings of the published study, each tested with the data of a run: for every source and combination of options. */
import { type Claim, claimText, verdictOf } from '@topo-bench/study-kit/published-claims';
import { type AccessCell, levelsOf, sourceName, wholeReads } from './access-cells.ts';
import type { Finding, Judged } from './finding.ts';
import { judgeLevel } from './level-finding.ts';
import { optionGroups } from './option-groups.ts';
import { publishedVariants, slower } from './published-variants.ts';

export function judgeFindings(cells: readonly AccessCell[]): Finding[] {
  const measured = cells.filter(({ durations }) => durations.size > 0);
  const findings = levelsOf(measured, 'source').flatMap((source) =>
    optionGroups(measured.filter((cell) => cell.source === source)).flatMap((group) =>
      judgeSource(source, group.cells).map((one) => ({ ...one, source: sourceName(source), options: group.options })),
    ),
  );
  // An option of a variant that a finding is not about repeats it.
  const different = new Map(findings.map((one) => [JSON.stringify([one.source, one.statement, one.evidence]), one]));
  return [...different.values(), driverFinding];
}

function judgeSource(source: string, cells: readonly AccessCell[]): Judged[] {
  const whole = wholeReads(cells);
  const variants = publishedVariants(whole);
  const [native, last] = [variants.get('A'), variants.get('D')];
  const ladder = [...variants.values()];
  return [
    judged(
      'A, the native driver, is the fastest.',
      ladder.flatMap((slow) => slower(whole, slow, native)),
    ),
    judged(
      'D, with the Flight server, is the slowest.',
      ladder.flatMap((fast) => slower(whole, last, fast)),
    ),
    judged('More layers, less speed.', ladderClaims(whole, ladder)),
    jsonFinding(whole),
    deploymentFinding(cells),
    judgeLevel(source, whole, ladder),
  ];
}

function judged(statement: string, claims: readonly Claim[]): Judged {
  return { statement, evidence: claims.map(claimText), verdict: verdictOf(claims) };
}

/** Each variant is slower than the one before it. */
function ladderClaims(cells: readonly AccessCell[], ladder: readonly string[]): Claim[] {
  return ladder.slice(1).flatMap((slow, at) => slower(cells, slow, ladder[at]));
}

/**
 * No variant replaces JSON lines alone. The columnar path also leaves out rows and their conversion: its distance to D
 * is an upper limit of the penalty, and decides nothing.
 */
function jsonFinding(cells: readonly AccessCell[]): Judged {
  const limits = ['process', 'container', 'pod'].flatMap((place) =>
    slower(cells, `flight-${place}`, `columnar-${place}`),
  );
  const evidence = limits.map((one) => `${claimText(one)}, JSON being a part of it`);
  return { statement: 'JSON is a penalty that B, C and D share.', verdict: 'undecided', evidence };
}

function deploymentFinding(cells: readonly AccessCell[]): Judged {
  const single = cells.filter(({ query }) => query === 'one-row');
  const claims = ladderClaims(single, [...publishedVariants(single).values()]);
  return judged('Deployment overhead grows with the layers: one row takes longest in D, then C, B and A.', claims);
}

const driverFinding: Finding = {
  statement: "A's lead comes in part from drivers written in C.",
  source: 'all',
  options: '',
  verdict: 'not testable',
  evidence: ['the native drivers of this run are JavaScript, as are its connectors'],
};
