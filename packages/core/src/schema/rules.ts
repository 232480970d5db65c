/** The rule file: conditions over documented facts, in the format of json-rules-engine, and their effects. */
import { z } from 'zod';
import { ruleDecorators, ruleFacts, ruleOperators } from '../rule-operators.ts';
import { name } from './quantities.ts';

export const effects = ['deny', 'reroute', 'redact', 'allow'] as const;
/** Effects in order of strength, strongest first. */
export type Effect = (typeof effects)[number];

/** A condition: a comparison, or `all` / `any` / `not` of conditions, or a named one. */
export type Condition =
  | { all: Condition[]; priority?: number; name?: string }
  | { any: Condition[]; priority?: number; name?: string }
  | { not: Condition; priority?: number; name?: string }
  | { condition: string; priority?: number; name?: string }
  | Comparison;

/** One comparison of a fact (or a member of it) with a value or another fact. */
export interface Comparison {
  fact: 'request' | 'target' | 'flow';
  operator: string;
  value?: unknown;
  /** Member and index steps only: `$.payload.email`, `$.categories[0]`, `$['a b']`. */
  path?: string;
  params?: Record<string, unknown>;
  priority?: number;
  name?: string;
}

const label = { priority: z.int().min(1).optional(), name: z.string().optional() };

// Types only: `rule-conditions.ts` checks facts, operators and paths, for files and engines alike. Editors complete
// from `meta`.
const comparison = z.strictObject({
  fact: z
    .string()
    .meta({ enum: [...ruleFacts], description: 'Subject of the comparison; `path` reaches its members.' }),
  operator: z.string().meta({
    description:
      'An operator of json-rules-engine 7, with decorators before it: `someFact:not:equal`. `contains` searches a list and is false for a text or a missing fact, `doesNotContain` too; `in` searches a list for the fact, or a text for it as a substring.',
    anyOf: [
      { enum: [...ruleOperators] },
      { pattern: `^((${ruleDecorators.join('|')}):)+(${ruleOperators.join('|')})$` },
    ],
  }),
  value: z.unknown().meta({ description: 'A literal, or another fact: `{ fact: target, path: $.region }`.' }),
  path: z
    .string()
    .optional()
    .meta({
      description:
        'Member and index steps only; `$.categories.length` is the number of elements. A text has no members.',
      examples: ['$.payload.email', '$.categories[0]', "$['a b']"],
    }),
  params: z.record(z.string(), z.unknown()).optional(),
  ...label,
});

const condition: z.ZodType<Condition> = z
  .lazy(() =>
    z.union([
      z.strictObject({ all: z.array(condition), ...label }),
      z.strictObject({ any: z.array(condition), ...label }),
      z.strictObject({ not: condition, ...label }),
      z.strictObject({ condition: z.string(), ...label }),
      comparison,
    ]),
  )
  .meta({ id: 'condition' }) as z.ZodType<Condition>;

/** JSON pointer (RFC 6901) into the payload. */
const pointer = z.string().regex(/^(\/([^~/]|~[01])*)+$/, 'expected a JSON pointer such as /email');

const redaction = z.strictObject({
  remove: z.array(pointer).default([]).meta({ description: 'Members of the payload to remove.' }),
  pseudonymise: z
    .array(pointer)
    .default([])
    .meta({ description: 'Members to replace by a keyed pseudonym (HMAC-SHA-256).' }),
});

/** As `z.record`, which drops a member named `__proto__`: the gateway keeps it. */
const payload = z
  .any()
  .meta({ type: 'object', propertyNames: { type: 'string' }, additionalProperties: {} })
  .transform((value: unknown, context) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
    context.issues.push({ code: 'invalid_type', expected: 'record', input: value });
    return z.NEVER;
  }) as unknown as z.ZodRecord<z.ZodString, z.ZodUnknown>;

export const rule = z.strictObject({
  id: name,
  description: z.string().optional(),
  forEach: z.literal('services').optional().meta({ description: 'One rule per service, with the id `id@service`.' }),
  priority: z.int().min(1).default(1).meta({ description: 'Orders rules of the same effect; higher first.' }),
  when: condition,
  effect: z.enum(effects),
  redact: redaction.optional().meta({ description: 'What to redact; required with effect `redact`.' }),
  to: name.optional().meta({ description: 'The compliant alternative; required with effect `reroute`.' }),
});
export type Rule = z.output<typeof rule>;

/** A row of the decision table in a rule file; run by `topo-bench rules test`. */
export const ruleExample = z.strictObject({
  name: z.string(),
  request: z.strictObject({
    class: name.optional(),
    origin: name,
    categories: z.array(name).default([]),
    consents: z.array(name).default([]),
    purpose: name.default('contract'),
    payload: payload.prefault({}),
  }),
  target: z.strictObject({
    service: name,
    node: name.default('node-1'),
    region: name.default('eu'),
    tags: z.array(name).default([]),
  }),
  flow: z.strictObject({ services: z.array(name).default([]), regions: z.array(name).default([]) }).prefault({}),
  expect: z.strictObject({
    effect: z.enum(effects),
    rule: z.string().optional(),
    rules: z.array(z.string()).optional(),
  }),
});
export type RuleExample = z.output<typeof ruleExample>;

export const rulesFile = z
  .strictObject({
    $schema: z.string().optional(),
    apiVersion: z.literal('topo-bench/v1'),
    kind: z.literal('Rules'),
    name,
    default: z.enum(['allow', 'deny']).default('allow').meta({ description: 'Effect when no rule matches.' }),
    conditions: z
      .record(z.string(), condition)
      .default({})
      .meta({ description: 'Named conditions that rules refer to.' }),
    rules: z
      .array(rule)
      .meta({ description: 'Strongest effect first: deny, reroute, redact, allow; then priority, then file order.' }),
    examples: z
      .array(ruleExample)
      .prefault([])
      .meta({ description: 'Decision table that `topo-bench rules test` runs.' }),
  })
  .meta({ title: 'topo-bench rules', description: 'Compliance and routing rules with their decision table.' });

export type RulesInput = z.input<typeof rulesFile>;
export type RulesFile = z.output<typeof rulesFile>;
