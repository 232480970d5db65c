/**
 * The rule sets and requests of `bench:decide`. Every rule forbids, under three conditions on the request (equality, element of
 * a list, membership), so that Cedar and OPA can say the same; with several targets a fourth names the target.
 */
import type { Facts, TargetFacts } from '@topo-bench/core/facts';
import { type RandomStream, randomStream } from '@topo-bench/core/random';

export interface BenchRule {
  id: string;
  /** The one service that the rule is about; undefined when it is about all. */
  service: string | undefined;
  origin: string;
  category: string;
  purposes: [string, string];
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
const [origins, categories, purposes] = [30, 20, 40];

export const workloads = (): Workload[] => [
  workload('50 rules on one target', 1, 1, 50),
  workload('5000 rules as 100 targets × 50', 2, 100, 50),
  workload('5000 rules on one target', 20, 1, 5000),
];

function workload(name: string, targetUs: number, targetCount: number, rulesPerTarget: number): Workload {
  const random = randomStream(1, 'bench-decide', name);
  const targets = Array.from({ length: targetCount }, (_, i): TargetFacts => {
    return { service: `svc-${i + 1}`, node: 'node-1', region: 'eu', tags: [] };
  });
  const rules = targets.flatMap(({ service }, t) =>
    Array.from({ length: rulesPerTarget }, (_, i) => ({
      id: `rule-${t * rulesPerTarget + i}`,
      service: targetCount > 1 ? service : undefined,
      ...anyRequest(random),
    })),
  );
  const facts = Array.from({ length: factsPerWorkload }, (_, i): Facts => {
    const t = random.integer(targetCount);
    const rule = i % 2 === 0 ? rules[t * rulesPerTarget + random.integer(rulesPerTarget)] : undefined;
    return factsMeeting(rule ?? anyRequest(random), targets[t] as TargetFacts, random);
  });
  return { name, targetUs, rules, targets, facts };
}

type RequestShape = Pick<BenchRule, 'origin' | 'category' | 'purposes'>;

function anyRequest(random: RandomStream): RequestShape {
  return {
    origin: `region-${random.integer(origins)}`,
    category: `category-${random.integer(categories)}`,
    purposes: [`purpose-${random.integer(purposes)}`, `purpose-${random.integer(purposes)}`],
  };
}

function factsMeeting({ origin, category, purposes }: RequestShape, target: TargetFacts, random: RandomStream): Facts {
  const others = [anyRequest(random).category, anyRequest(random).category];
  return {
    request: {
      class: 'order',
      origin,
      categories: [...others, category],
      consents: [],
      purpose: purposes[1],
      payload: { customer: 'Ada Lovelace', items: [{ id: 1, amount: 2 }] },
    },
    target,
    flow: { services: [], regions: [] },
  };
}
