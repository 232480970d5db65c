/**
 * The rule sets and requests of `bench:decide`. Every rule forbids, under three conditions on the request, in forms
 * that Cedar and OPA have too; with several targets a fourth names the target.
 */
import { type Facts, type RandomStream, randomStream, type TargetFacts } from '@topo-bench/core';

/** A condition on a member of the request; the first three can be looked up by a map, the others cannot. */
export type BenchCondition =
  | { kind: 'equal'; member: 'origin'; value: string }
  | { kind: 'element'; member: 'categories'; value: string }
  | { kind: 'oneOf'; member: 'purpose'; values: [string, string] }
  | { kind: 'above'; member: 'amount'; value: number }
  | { kind: 'other'; member: 'origin'; value: string }
  | { kind: 'substring'; member: 'customer'; value: string };

/** Members of the request that conditions name, and where they are. */
export const memberPaths: Readonly<Record<BenchCondition['member'], readonly string[]>> = {
  origin: ['origin'],
  categories: ['categories'],
  purpose: ['purpose'],
  amount: ['payload', 'amount'],
  customer: ['payload', 'customer'],
};

export interface BenchRule {
  id: string;
  /** The one service that the rule is about; undefined when it is about all. */
  service: string | undefined;
  conditions: BenchCondition[];
}

export interface Workload {
  name: string;
  /** What a decision of the compiled engine may cost at most. */
  targetUs: number;
  rules: BenchRule[];
  targets: TargetFacts[];
  /** Prebuilt; half of them meet a rule of their target. */
  facts: Facts[];
}

const factsPerWorkload = 64;
const [origins, categories, purposes, names, amounts] = [30, 20, 40, 200, 10_000];

export const workloads = (): Workload[] => [
  workload('50 rules on one target', 1, 1, 50, lookedUp),
  workload('5000 rules as 100 targets × 50', 2, 100, 50, lookedUp),
  workload('5000 rules on one target', 20, 1, 5000, lookedUp),
  workload('5000 rules on one target that no map can look up', 20, 1, 5000, scanned),
];

/** The members of a request that conditions read. */
interface RequestShape {
  origin: string;
  category: string;
  purpose: string;
  amount: number;
  name: string;
}

function workload(
  name: string,
  targetUs: number,
  targetCount: number,
  rulesPerTarget: number,
  conditionsOf: (request: RequestShape, random: RandomStream) => BenchCondition[],
): Workload {
  const random = randomStream(1, 'bench-decide', name);
  const targets = Array.from({ length: targetCount }, (_, i): TargetFacts => {
    return { service: `svc-${i + 1}`, node: 'node-1', region: 'eu', tags: [] };
  });
  const shapes = new Map<BenchRule, RequestShape>();
  const rules = targets.flatMap(({ service }, t) =>
    Array.from({ length: rulesPerTarget }, (_, i) => {
      const shape = anyRequest(random);
      const rule: BenchRule = {
        id: `rule-${t * rulesPerTarget + i}`,
        service: targetCount > 1 ? service : undefined,
        conditions: conditionsOf(shape, random),
      };
      shapes.set(rule, shape);
      return rule;
    }),
  );
  const facts = Array.from({ length: factsPerWorkload }, (_, i): Facts => {
    const t = random.integer(targetCount);
    const rule = i % 2 === 0 ? rules[t * rulesPerTarget + random.integer(rulesPerTarget)] : undefined;
    return factsOf((rule && shapes.get(rule)) ?? anyRequest(random), targets[t] as TargetFacts, random);
  });
  return { name, targetUs, rules, targets, facts };
}

function anyRequest(random: RandomStream): RequestShape {
  return {
    origin: `region-${random.integer(origins)}`,
    category: `category-${random.integer(categories)}`,
    purpose: `purpose-${random.integer(purposes)}`,
    amount: random.integer(amounts),
    name: `name-${random.integer(names)};`,
  };
}

/** Conditions that the request meets, and that maps can look up. */
function lookedUp({ origin, category, purpose }: RequestShape, random: RandomStream): BenchCondition[] {
  return [
    { kind: 'equal', member: 'origin', value: origin },
    { kind: 'element', member: 'categories', value: category },
    { kind: 'oneOf', member: 'purpose', values: [anyRequest(random).purpose, purpose] },
  ];
}

/** Conditions that the request meets: an order, a negation and a substring. */
function scanned({ origin, amount, name }: RequestShape, random: RandomStream): BenchCondition[] {
  const another = anyRequest(random).origin;
  return [
    { kind: 'above', member: 'amount', value: amount - 1 },
    { kind: 'other', member: 'origin', value: another === origin ? 'elsewhere' : another },
    { kind: 'substring', member: 'customer', value: name },
  ];
}

function factsOf(
  { origin, category, purpose, amount, name }: RequestShape,
  target: TargetFacts,
  random: RandomStream,
): Facts {
  const others = [anyRequest(random).category, anyRequest(random).category];
  return {
    request: {
      class: 'order',
      origin,
      categories: [...others, category],
      consents: [],
      purpose,
      payload: { customer: `Ada ${name} Lovelace`, amount, items: [{ id: 1, amount: 2 }] },
    },
    target,
    flow: { services: [], regions: [] },
  };
}
