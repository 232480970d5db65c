/** What must be true of every flow, whatever the topology and the rules. */
import type { Architecture } from '@topo-bench/core';
import type { Effect } from '@topo-bench/core/schema/rules';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOracle } from '../src/oracle.ts';
import type { OracleGraph } from '../src/read-services.ts';
import { at, type Flow, graphOf, requestOf, ruleList } from './fixtures/graphs.ts';

const alternatives = ['x', 'y'];

/** A flow over s0, s1, …: shapes are drawn with empty names, then named in order. */
const flow: fc.Arbitrary<Flow> = fc
  .letrec<{ list: Flow; item: string | Flow }>((tie) => ({
    item: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      { weight: 4, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: tie('list') },
    ),
    list: fc.array(tie('item'), { minLength: 1, maxLength: 4 }),
  }))
  .list.map((shape) => {
    let count = 0;
    const named = (items: Flow): Flow => items.map((item) => (typeof item === 'string' ? `s${count++}` : named(item)));
    return named(shape);
  });
const namesIn = (items: Flow): string[] => items.flatMap((item) => (typeof item === 'string' ? [item] : namesIn(item)));

const world = flow.chain((items) => {
  const flowNames = namesIn(items);
  const names = [...flowNames, ...alternatives];
  const rule = fc.record({
    target: fc.constantFrom(...names),
    effect: fc.constantFrom<Effect>('allow', 'redact', 'reroute', 'deny'),
    priority: fc.integer({ min: 1, max: 3 }),
    to: fc.constantFrom(...alternatives),
    afterRegion: fc.option(fc.constantFrom('EU', 'US', 'IN'), { nil: undefined }),
  });
  return fc
    .record({
      flow: fc.constant(items),
      flowNames: fc.constant(flowNames),
      nodes: fc.array(fc.constantFrom('eu', 'us', 'in'), { minLength: names.length, maxLength: names.length }),
      rules: fc.array(rule, { maxLength: 6 }),
      default: fc.constantFrom<'allow' | 'deny'>('allow', 'allow', 'allow', 'deny'),
    })
    .map(({ nodes, rules, default: fallback, ...rest }) => ({
      ...rest,
      graph: graphOf({
        flow: items,
        alternatives,
        nodes: Object.fromEntries(names.map((name, i) => [name, nodes[i] as string])),
        rules: {
          default: fallback,
          rules: ruleList(
            ...rules.map(({ target, effect, priority, to, afterRegion }, i) => ({
              id: `rule-${i}`,
              effect,
              priority,
              ...(effect === 'reroute' ? { to } : {}),
              ...(effect === 'redact' ? { remove: ['/card'] } : {}),
              when: afterRegion
                ? {
                    all: [
                      at(target),
                      { fact: 'flow' as const, path: '$.regions', operator: 'contains', value: afterRegion },
                    ],
                  }
                : at(target),
            })),
          ),
        },
      }),
    }));
});

function under({ source, services }: OracleGraph, architecture: Architecture): OracleGraph {
  const { enforcement } = source.topology;
  return {
    services,
    source: { ...source, topology: { ...source.topology, enforcement: { ...enforcement, architecture } } },
  };
}

describe('every expected flow', () => {
  it('completes with each service once and no denial, or is refused by a denial among its steps', () => {
    fc.assert(
      fc.property(world, ({ graph, flowNames }) => {
        const { steps, outcome, refusal } = createOracle(graph).expectedFlow(requestOf());
        const denials = steps.filter(({ effect }) => effect === 'deny');
        const inFlow = steps.map(({ service }) => service).filter((service) => !alternatives.includes(service));
        // A refused flow may lack services.
        expect(inFlow).toEqual(flowNames.filter((name) => outcome === 'completed' || inFlow.includes(name)));
        expect(outcome).toBe(denials.length > 0 ? 'refused' : 'completed');
        expect(refusal).toEqual(denials[0] && { rule: denials[0].rule, service: denials[0].service });
      }),
      { numRuns: 1000 },
    );
  });

  it('has an alternative right after each reroute and nowhere else, and it never reroutes', () => {
    fc.assert(
      fc.property(world, ({ graph }) => {
        const { steps } = createOracle(graph).expectedFlow(requestOf());
        steps.forEach(({ service }, i) => {
          expect(alternatives.includes(service)).toBe(steps[i - 1]?.effect === 'reroute');
        });
        expect(steps.at(-1)?.effect).not.toBe('reroute');
      }),
      { numRuns: 1000 },
    );
  });

  it('exposes under a central entity at most what it exposes under sidecars, in every category', () => {
    let exposed = 0;
    fc.assert(
      fc.property(world, ({ graph }) => {
        const central = createOracle(under(graph, 'central-entity')).expectedFlow(requestOf());
        const sidecar = createOracle(under(graph, 'sidecar')).expectedFlow(requestOf());
        expect(central.steps).toEqual(sidecar.steps);
        for (const [category, bytes] of Object.entries(central.exposureBytes)) {
          expect(bytes).toBeLessThanOrEqual(sidecar.exposureBytes[category] ?? 0);
          if (bytes > 0) exposed++;
        }
      }),
      { numRuns: 1000 },
    );
    expect(exposed).toBeGreaterThan(0);
  });

  it('is right by its own check, and wrong once any step is changed, dropped or repeated', () => {
    fc.assert(
      fc.property(world, fc.nat(), ({ graph }, pick) => {
        const oracle = createOracle(graph);
        const { steps, outcome } = oracle.expectedFlow(requestOf());
        const at = pick % steps.length;
        const step = steps[at] as (typeof steps)[number];
        expect(oracle.checkRequest(requestOf(), { steps, outcome }).wrong).toBe(0);
        const corrupted = [
          steps.with(at, { ...step, effect: step.effect === 'allow' ? 'redact' : 'allow' }),
          steps.with(at, { ...step, rule: 'another' }),
          steps.toSpliced(at, 1),
          steps.toSpliced(at, 0, { ...step, service: 'nobody' }),
        ];
        for (const recorded of corrupted)
          expect(oracle.checkRequest(requestOf(), { steps: recorded, outcome }).wrong).toBeGreaterThan(0);
      }),
      { numRuns: 1000 },
    );
  });
});
