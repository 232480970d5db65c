/**
 * Compares the decisions of a repetition whose rules changed with the oracle: what was right depends on the moment at
 * which a request entered. That moment is bounded from below by its send time, so no request counts as stale that
 * entered before a change.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DeliveryKeys, GatewayRequest, Sample } from '@topo-bench/core';
import type { EventRecord, StaleFigures, Staleness } from '@topo-bench/core/schema/result';
import { type DeploymentRuleChange, planDeployment } from '@topo-bench/deployment';
import { createVersionOracle, type RuleVersion, type StaleDecision, type VersionVerdict } from '@topo-bench/oracle';
import { quantileOfSorted, sortedCopy } from '@topo-bench/stats';
import type { Graph } from '@topo-bench/topology';
import { addUndecided, type DecisionCheck, noUndecided } from './check-decisions.ts';

const examplesKept = 3;
/** Requests checked before yielding to other work. */
const batch = 500;

/** A change of rules with its new rules and its record. */
export interface CheckedChange {
  graph: Graph;
  change: DeploymentRuleChange;
  record: EventRecord;
}

export interface VersionCheck extends DecisionCheck {
  staleness: Staleness;
  /** Ids of requests. */
  stale: ReadonlySet<string>;
  torn: ReadonlySet<string>;
}

/** @param requestOf the request of a row, as the generator drew it */
export async function checkVersions(
  graph: Graph,
  changes: readonly CheckedChange[],
  samples: readonly Sample[],
  requestOf: (row: number) => GatewayRequest,
  keys: DeliveryKeys,
): Promise<VersionCheck> {
  const versions = changes.map(({ graph: changed, record: { begin } }): RuleVersion => {
    return { graph: changed, askedUs: begin.requestedUs ?? Number.POSITIVE_INFINITY, confirmedUs: begin.effectiveUs };
  });
  const oracle = createVersionOracle(graph, versions, keys);
  const verdicts: VersionVerdict[] = [];
  const check = {
    ...{ wrong: 0, examples: [] as string[], undecided: noUndecided() },
    ...{ stale: new Set<string>(), torn: new Set<string>() },
  };
  for (const [row, sample] of samples.entries()) {
    const times = { enteredUs: sample.sentUs ?? sample.intendedUs, endedUs: sample.doneUs ?? Number.POSITIVE_INFINITY };
    const verdict = oracle.checkRequest(requestOf(row), { ...sample, ...times });
    verdicts.push(verdict);
    check.wrong += verdict.reasons.length;
    addUndecided(check.undecided, verdict.undecided);
    if (verdict.reasons.length > 0 && check.examples.length < examplesKept)
      check.examples.push(`${sample.id}: ${verdict.reasons[0]}`);
    if (verdict.torn) check.torn.add(sample.id);
    if (verdict.stale.length > 0) check.stale.add(sample.id);
    if (row % batch === batch - 1) await nextTurn();
  }
  const points = versionsByPoint(graph, samples, versions);
  return { ...check, staleness: { ...stalenessOf(changes, verdicts), points } };
}

/** By point: when the first request was sent that it decided by each version, and not before that was asked for. */
function versionsByPoint(
  graph: Graph,
  samples: readonly Sample[],
  versions: readonly RuleVersion[],
): NonNullable<Staleness['points']> {
  const { executorOf, takeover } = planDeployment(graph);
  const pointOf = new Map(graph.services.map(({ name, index }) => [name, executorOf[index] as string]));
  const points = new Map<string, (number | null)[]>();
  for (const { steps, sentUs, intendedUs } of samples) {
    for (const { service, version = 0, undecided, takenOver } of steps) {
      const own = pointOf.get(service);
      const point = takenOver && own !== undefined ? takeover?.[own] : own;
      if (undecided || point === undefined) continue;
      const sinceUs = points.get(point) ?? Array<number | null>(versions.length + 1).fill(null);
      const fromUs = versions[version - 1]?.askedUs ?? 0;
      const decidedUs = Math.max(fromUs, sentUs ?? intendedUs);
      sinceUs[version] = Math.min(sinceUs[version] ?? Number.POSITIVE_INFINITY, decidedUs);
      points.set(point, sinceUs);
    }
  }
  return [...points].map(([name, sinceUs]) => ({ name, sinceUs }));
}

function stalenessOf(changes: readonly CheckedChange[], verdicts: readonly VersionVerdict[]): Staleness {
  const sinceAsked = verdicts.map((verdict) => verdict.staleSinceAsked);
  return {
    versions: changes.map(({ change: { digest, version }, record: { begin } }) => {
      const { requestedUs = 0, effectiveUs } = begin;
      const older = sinceAsked.flat().filter((decision) => decision.version === version - 1);
      return {
        digest,
        ...(effectiveUs !== undefined && { confirmedAfterUs: effectiveUs - requestedUs }),
        lastUs: Math.max(0, ...older.map(({ sinceUs }) => sinceUs)),
      };
    }),
    sinceConfirmed: figuresOf(verdicts.map((verdict) => verdict.stale)),
    sinceAsked: figuresOf(sinceAsked),
    torn: verdicts.filter(({ torn }) => torn).length,
  };
}

/** @param byRequest stale decisions of each request */
function figuresOf(byRequest: readonly (readonly StaleDecision[])[]): StaleFigures {
  const decisions = byRequest.flat();
  const times = sortedCopy(decisions.map(({ sinceUs }) => sinceUs));
  // No prototype: categories may have any name.
  const exposedBytes: Record<string, number> = Object.create(null);
  for (const [category, bytes] of decisions.flatMap((one) => Object.entries(one.exposedBytes)))
    exposedBytes[category] = (exposedBytes[category] ?? 0) + bytes;
  return {
    requests: byRequest.filter((each) => each.length > 0).length,
    decisions: decisions.length,
    letThrough: decisions.filter(({ effect }) => effect === 'let-through').length,
    refused: decisions.filter(({ effect }) => effect === 'refused').length,
    exposedBytes,
    ...(times.length > 0 && { t50Us: quantileOfSorted(times, 0.5), t99Us: quantileOfSorted(times, 0.99) }),
    lastUs: times.at(-1) ?? 0,
  };
}
