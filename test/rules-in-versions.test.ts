/**
 * Rules that change while requests are in flight: random topologies, rules and times, under every architecture, both
 * styles, and each way of distribution. The oracle reads all rule documents and decides which were right for a request.
 */
import { architectures, type GatewayRequest, type RuleSet } from '@topo-bench/core';
import type { RulesInput } from '@topo-bench/core/schema/rules';
import { spreads, styles } from '@topo-bench/core/schema/topology';
import { planDeployment } from '@topo-bench/deployment';
import type { MemoryFault, TimedRuleChange } from '@topo-bench/flow/memory';
import { createVersionOracle, type RuleVersion, type VersionVerdict } from '@topo-bench/oracle';
import { type Graph, graphOf } from '@topo-bench/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryOf, type TestMemoryOptions } from '../packages/flow/test/fixtures/memory.ts';
import { timedChange } from '../packages/flow/test/fixtures/rule-changes.ts';
import { type Documents, documentsArbitrary, requestArbitrary } from './fixtures/random-documents.ts';

const spanUs = 100_000;
const enforced = architectures.filter((name) => name !== 'none');

const caseArbitrary = fc.record({
  documents: documentsArbitrary,
  enforcement: fc.record({
    architecture: fc.constantFrom(...enforced),
    style: fc.constantFrom(...styles),
    routers: fc.integer({ min: 1, max: 4 }),
    replicas: fc.integer({ min: 1, max: 2 }),
    spread: fc.constantFrom(...spreads),
    distribution: fc.constantFrom('push' as const, 'stream' as const),
    consistency: fc.constantFrom('eventual' as const, 'versioned' as const),
  }),
  changes: fc.array(
    fc.record({ atUs: fc.nat(spanUs), edits: fc.array(fc.nat(3), { minLength: 6, maxLength: 6 }), deny: fc.boolean() }),
    { minLength: 1, maxLength: 3 },
  ),
  delaysUs: fc.array(fc.nat(20_000), { minLength: 8, maxLength: 8 }),
  requests: fc.array(fc.tuple(requestArbitrary, fc.nat(spanUs)), { minLength: 20, maxLength: 20 }),
});
type Case = typeof caseArbitrary extends fc.Arbitrary<infer T> ? T : never;

/** Other ids, and some rules that are missing or have another effect. Reroutes stay: peers follow from them. */
function edited({ rules, ...file }: RulesInput, edits: readonly number[], deny: boolean, version: number): RulesInput {
  const kept = rules.flatMap((rule, i): typeof rules => {
    const named = { ...rule, id: `${rule.id}-v${version}` };
    if (rule.effect === 'reroute' || edits[i] === 0) return [named];
    if (edits[i] === 1) return [];
    const { redact: _, ...plain } = named;
    return [{ ...plain, effect: rule.effect === 'deny' ? 'allow' : 'deny' } as typeof rule];
  });
  return { ...file, default: deny ? 'deny' : (file.default ?? 'allow'), rules: kept };
}

function graphWith({ topology }: Documents, enforcement: Case['enforcement'], rules: RulesInput): Graph {
  return graphOf(
    {
      ...topology,
      enforcement,
      links: [{ from: 'eu', to: 'us', delay: '4ms' }],
      defaults: { work: '3ms' },
    },
    rules,
  );
}

interface Played {
  verdicts: VersionVerdict[];
  outcomes: string[];
}

interface Crash {
  atUs: number;
  restartUs: number;
  role: number;
}

/**
 * @param early a point that confirms 40 ms before it has the rules
 * @param crashes of the gateway, enforcement points and services, by their place in the plan
 */
async function play(
  { documents, enforcement, changes, delaysUs, requests }: Case,
  { early, crashes = [], ...options }: TestMemoryOptions & { early?: boolean; crashes?: readonly Crash[] } = {},
): Promise<Played> {
  const graphs = [documents.rules, ...changes.map(({ edits, deny }, i) => edited(documents.rules, edits, deny, i + 1))];
  const [first, ...later] = graphs.map((rules) => graphWith(documents, enforcement, rules)) as [Graph, ...Graph[]];
  const names = planDeployment(first).roles.map(({ name }) => name);
  const faults = crashes.map(({ role, ...times }): MemoryFault => {
    return { kind: 'crash', roles: [names[role % names.length] as string], ...times };
  });
  const memory = await memoryOf(first, { faults, ...options });
  const ordered = changes.map(({ atUs }) => atUs).sort((one, other) => one - other);
  const versions: RuleVersion[] = later.map((graph, i) => ({ graph, askedUs: ordered[i] as number }));
  let draw = 0;
  const timed = versions.flatMap((version, i): TimedRuleChange[] => {
    const delayUs = (): number => delaysUs[draw++ % delaysUs.length] as number;
    const change = timedChange(version.graph as Graph, i + 1, version.askedUs, delayUs);
    const confirmed = (atUs: number): void => {
      version.confirmedUs = atUs;
    };
    if (!early) return [{ ...change, confirmed }];
    const points = change.stages[1] as (typeof change.stages)[number];
    const late = { ...points[0]!, delayUs: 60_000 };
    const stages = change.stages.map((stage, at) => (at === 1 ? points.slice(1) : stage)).filter((s) => s.length > 0);
    return [
      { ...change, stages, confirmed },
      { atUs: change.atUs, stages: [[late]] },
    ];
  });
  const sent = requests.map(([request, atUs], i) => ({ request: { ...request, id: `r${i}` } as GatewayRequest, atUs }));
  const answers = await memory.sendAll(sent, timed);
  const oracle = createVersionOracle(first, versions, memory.keys);
  const verdicts = answers.flatMap((answer, i) => {
    // Without a crash of the gateway every client has an answer.
    if (typeof answer === 'string' && crashes.length > 0) return [];
    if (typeof answer === 'string') throw new RangeError(`got ${answer}, expected an answer`);
    const { request, atUs } = sent[i] as (typeof sent)[number];
    const { response } = answer;
    const times = { enteredUs: atUs, endedUs: atUs + response.rttUs };
    return oracle.checkRequest(request, { ...response, rule: response.rule ?? null, ...times });
  });
  return {
    verdicts,
    outcomes: answers.map((answer) =>
      typeof answer === 'string' ? answer : (answer.response.error ?? answer.response.outcome),
    ),
  };
}

const sum = (verdicts: readonly VersionVerdict[], count: (verdict: VersionVerdict) => number): number =>
  verdicts.reduce((total, verdict) => total + count(verdict), 0);

describe('rules that change in virtual time', () => {
  it('are never stale once confirmed, wrong under no version, and torn only without stamps', {
    timeout: 120_000,
  }, async () => {
    const seen = { torn: 0, sinceAsked: 0, refusedWithout: 0, letThrough: 0, exposed: 0, versioned: 0 };
    await fc.assert(
      fc.asyncProperty(caseArbitrary, async (drawn) => {
        const { verdicts, outcomes } = await play(drawn);
        for (const { reasons, stale } of verdicts) expect({ reasons, stale }).toEqual({ reasons: [], stale: [] });
        const torn = sum(verdicts, (verdict) => Number(verdict.torn));
        const isVersioned = drawn.enforcement.consistency === 'versioned';
        if (isVersioned) expect(torn).toBe(0);
        for (const outcome of outcomes) expect(outcome).toMatch(/^(completed|refused)$/);
        seen.torn += torn;
        seen.versioned += Number(isVersioned);
        const since = verdicts.flatMap(({ staleSinceAsked }) => staleSinceAsked);
        seen.sinceAsked += since.length;
        seen.letThrough += since.filter(({ effect }) => effect === 'let-through').length;
        seen.refusedWithout += since.filter(({ effect }) => effect === 'refused').length;
        seen.exposed += since.filter(({ exposedBytes }) => Object.keys(exposedBytes).length > 0).length;
      }),
      { numRuns: process.env.LONG_SERIES ? 1000 : 120, seed: 20_261_127 },
    );
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(20);
  });

  it('are never stale once confirmed, and wrong under no version, while roles crash and start again', {
    timeout: 120_000,
  }, async () => {
    const crash = fc.record({ atUs: fc.nat(spanUs), restartUs: fc.integer({ min: 1, max: spanUs }), role: fc.nat() });
    const crashesArbitrary = fc.uniqueArray(crash, { minLength: 1, maxLength: 3, selector: ({ role }) => role % 3 });
    const seen = { refused: 0, failed: 0, cut: 0, sinceAsked: 0 };
    await fc.assert(
      fc.asyncProperty(caseArbitrary, crashesArbitrary, async (drawn, crashes) => {
        const { verdicts, outcomes } = await play(drawn, { crashes });
        for (const { reasons, stale } of verdicts) expect({ reasons, stale }).toEqual({ reasons: [], stale: [] });
        if (drawn.enforcement.consistency === 'versioned') {
          expect(sum(verdicts, (verdict) => Number(verdict.torn))).toBe(0);
        }
        seen.failed += outcomes.filter((outcome) => /^(unreachable|deadline|no-rules)/.test(outcome)).length;
        seen.cut += outcomes.filter((outcome) => outcome.startsWith('connection')).length;
        seen.sinceAsked += sum(verdicts, (verdict) => verdict.staleSinceAsked.length);
        seen.refused += outcomes.filter((outcome) => outcome === 'refused').length;
      }),
      { numRuns: process.env.LONG_SERIES ? 1000 : 150, seed: 20_261_127 },
    );
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(20);
  });

  it('that a point keeps under the name of the new ones are wrong', async () => {
    let wrong = 0;
    const oldRules = new Map<string, RuleSet>();
    await fc.assert(
      fc.asyncProperty(caseArbitrary, async (drawn) => {
        const { verdicts } = await play(drawn, {
          onEffect: (effect, role) => {
            if (effect.kind === 'prepare-rules') effect.change.rules = oldRules.get(role.name) as RuleSet;
          },
          change: (config) => {
            oldRules.set(config.name, config.rules);
            return {};
          },
        });
        wrong += sum(verdicts, ({ reasons }) => reasons.length);
      }),
      { numRuns: 20, seed: 3 },
    );
    expect(wrong).toBeGreaterThan(100);
  });

  it('that a point confirms before it has them are stale after the confirmation', async () => {
    let stale = 0;
    const push = caseArbitrary.map((drawn) => ({
      ...drawn,
      changes: drawn.changes.slice(0, 1),
      enforcement: { ...drawn.enforcement, distribution: 'push' as const, consistency: 'eventual' as const },
    }));
    await fc.assert(
      fc.asyncProperty(push, async (drawn) => {
        const { verdicts } = await play(drawn, { early: true });
        stale += sum(verdicts, (verdict) => verdict.stale.length);
        for (const { reasons } of verdicts) expect(reasons).toEqual([]);
      }),
      { numRuns: 20, seed: 4 },
    );
    expect(stale).toBeGreaterThan(20);
  });
});
