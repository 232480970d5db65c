/**
 * Requests of a deployment whose rules change: which version was right for the moment at which a request entered.
 * Each decision is checked by the version that it names. It is stale when a later version had been confirmed before the
 * request entered, or, as a figure of its own, had been asked for. A request that several versions decided is torn. A
 * decision that its version does not make, or by a version that had not been asked for yet, is wrong.
 */
import type { Decision, Facts } from '@topo-bench/core/facts';
import type { GatewayRequest } from '@topo-bench/core/gateway-api';
import type { DeliveryKeys } from '@topo-bench/core/role-secrets';
import { checkDelivery } from './check-delivery.ts';
import { checkSteps } from './check-steps.ts';
import { expectedFlow, readWorld } from './expected-flow.ts';
import { exposureBytes, type Withheld } from './exposure.ts';
import { compareExposure, nothingDelivered, type RecordedRequest, rulesOf } from './oracle.ts';
import type { OracleGraph } from './read-services.ts';
import {
  byRecordedPoint,
  passed,
  recordedByVisit,
  takeoverFaults,
  UndecidedSteps,
  withheldBy,
} from './recorded-steps.ts';
import { rightDecision } from './right-decision.ts';

/** Rules that replaced others. Times are on one clock with those of requests. */
export interface RuleVersion {
  graph: OracleGraph;
  askedUs: number;
  /** Undefined: never confirmed. */
  confirmedUs?: number | undefined;
}

/** A recorded request with its time in the deployment. */
export interface TimedRecord extends RecordedRequest {
  enteredUs: number;
  /** Infinite for an unfinished request. */
  endedUs: number;
}

export interface StaleDecision {
  service: string;
  version: number;
  /** From the instant of the first change that the decision ignores until the request entered. */
  sinceUs: number;
  /** What the newer rules refuse went through, what they allow was refused, or nothing differs. */
  effect: 'let-through' | 'refused' | 'alike';
  /** By category: data that the target received, and that the newer rules withhold. */
  exposedBytes: Record<string, number>;
}

export interface VersionVerdict {
  /** Sentences; empty: no decision is wrong. */
  reasons: string[];
  torn: boolean;
  /** By the versions that were confirmed when the request entered. */
  stale: StaleDecision[];
  /** By the versions that had been asked for when the request entered. */
  staleSinceAsked: StaleDecision[];
  /** Steps that passed without a decision; absent without any. */
  undecided?: { steps: number; exposedBytes: Record<string, number> };
}

export interface VersionOracle {
  checkRequest(request: GatewayRequest, recorded: TimedRecord): VersionVerdict;
}

/** Rules of a step, with the facts of its decision. */
interface Step {
  version: number;
  facts: Facts;
  decision: Decision;
}

/**
 * @param first graph with the rules that the deployment started with: version 0
 * @param versions version 1 and later, in their order
 * @param keys of the run, for checks of deliveries
 */
export function createVersionOracle(
  first: OracleGraph,
  versions: readonly RuleVersion[],
  keys?: DeliveryKeys,
): VersionOracle {
  const world = readWorld(first);
  const rules = [world.rules, ...versions.map(({ graph }) => rulesOf(graph))];
  type Instant = 'askedUs' | 'confirmedUs';
  const timeOf = (version: RuleVersion, instant: Instant): number => version[instant] ?? Number.POSITIVE_INFINITY;
  /** The newest version that had reached an instant before a time. */
  const newestBefore = (instant: Instant, time: number): number =>
    versions.reduce((newest, version, i) => (timeOf(version, instant) < time ? i + 1 : newest), 0);
  /** When the first of the versions after this one had reached an instant. */
  const firstAfter = (instant: Instant, version: number): number =>
    Math.min(...versions.slice(version).map((later) => timeOf(later, instant)));

  return {
    checkRequest: (request, recorded) => {
      const { outcome, rule, delivered = nothingDelivered, exposureBytes: exposed, enteredUs, endedUs } = recorded;
      const stepOf = recordedByVisit(recorded.steps);
      const undecided = new UndecidedSteps();
      const steps: Step[] = [];
      const flow = expectedFlow(world, request, (facts) => {
        // Steps that are not recorded are decided by any rules: only failed requests lack some.
        const step = stepOf(facts.target.service);
        const decision = rightDecision(rules[step?.version ?? 0] ?? world.rules, facts);
        if (step?.undecided) {
          undecided.add(request, decision);
          return byRecordedPoint(passed, step);
        }
        if (step) steps.push({ version: step.version ?? 0, facts, decision });
        return byRecordedPoint(decision, step);
      });
      const reasons = [...undecided.faults(world.failsOpen), ...takeoverFaults(recorded.steps, world)];
      reasons.push(...checkSteps(flow, recorded.steps, outcome, rule ?? undefined));
      const ended = outcome === 'completed' || outcome === 'refused';
      if (keys) reasons.push(...checkDelivery(flow.deliveries, delivered, request, ended, keys));
      if (ended && exposed) reasons.push(...compareExposure(exposureBytes(request, flow.exposures), exposed));
      const decidedBy = new Set(recorded.steps.filter((step) => !step.undecided).map(({ version = 0 }) => version));
      for (const version of decidedBy) {
        const asked = version === 0 ? 0 : (versions[version - 1]?.askedUs ?? Number.POSITIVE_INFINITY);
        if (asked > endedUs) reasons.push(`decided by rules ${version} before they had been asked for`);
      }
      const staleBy = (instant: Instant): StaleDecision[] => {
        const due = newestBefore(instant, enteredUs);
        return steps.flatMap((step) => {
          if (step.version >= due) return [];
          const now = rightDecision(rules[due] ?? world.rules, step.facts);
          return [staleDecision(step, now, enteredUs - firstAfter(instant, step.version), request)];
        });
      };
      return {
        reasons,
        torn: decidedBy.size > 1,
        stale: staleBy('confirmedUs'),
        staleSinceAsked: staleBy('askedUs'),
        ...(undecided.steps > 0 && { undecided }),
      };
    },
  };
}

function staleDecision(
  { version, facts, decision }: Step,
  now: Decision,
  sinceUs: number,
  request: GatewayRequest,
): StaleDecision {
  const { service } = facts.target;
  const [old, due] = [withheldBy(decision), withheldBy(now)];
  const exposed = difference(request, due, old);
  const kept = difference(request, old, due);
  const hasBytes = (bytes: Record<string, number>): boolean => Object.values(bytes).some((count) => count > 0);
  const passes = (withheld: Withheld): boolean => withheld !== 'everything';
  const isLetThrough = passes(old) && (!passes(due) || hasBytes(exposed));
  const isRefused = passes(due) && (!passes(old) || hasBytes(kept));
  return {
    ...{ service, version, sinceUs },
    effect: isLetThrough ? 'let-through' : isRefused ? 'refused' : 'alike',
    exposedBytes: isLetThrough ? exposed : {},
  };
}

/** Bytes that one decision withholds and the other does not, by category. */
function difference(request: GatewayRequest, withheld: Withheld, other: Withheld): Record<string, number> {
  if (withheld.length === 0 || other === 'everything') return {};
  const whole = exposureBytes(request, [{ withheld, permittedCopies: [] }]);
  const shared = exposureBytes(request, [{ withheld, permittedCopies: [other] }]);
  const left = Object.entries(whole).map(([category, bytes]) => [category, bytes - (shared[category] ?? 0)] as const);
  return Object.fromEntries(left.filter(([, bytes]) => bytes > 0));
}
