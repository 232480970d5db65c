/** Checks of a rule file beyond its schema: valid conditions, complete effects, known names. */
import {
  type ConditionProblem,
  checkCondition,
  checkNamedConditions,
  checkReferredSize,
  inexactNumber,
  parseRulePath,
  ruleFactMembers,
  suggestName,
} from '@topo-bench/core';
import type { Condition, Rule, RulesFile } from '@topo-bench/core/schema/rules';
import type { Finding } from './finding.ts';
import type { ListedService } from './list-services.ts';
import { missingPasses } from './missing-passes.ts';
import { neverReasons } from './never-holds.ts';
import type { Path } from './source-document.ts';

/** All findings about the file alone, warnings included. */
export function checkRules(file: RulesFile): Finding[] {
  const named = checkNamedConditions(file.conditions);
  const whens = file.rules.map(({ when }) => when);
  const size = named.length > 0 ? [] : checkReferredSize(whens, file.conditions, true);
  const warnings = { never: neverReasons(file.conditions), passes: missingPasses(file.conditions) };
  return [
    ...named.map((problem) => placed(problem, ['conditions'])),
    ...size.map((problem) => placed({ ...problem, place: [...problem.place, 'when'] }, ['rules'])),
    ...Object.entries(file.conditions).flatMap(([name, condition]) => unknownMembers(condition, ['conditions', name])),
    ...duplicateIds(file.rules),
    ...file.rules.flatMap((rule, i) => [
      ...checkCondition(rule.when, file.conditions).map((problem) =>
        withSuggestion(placed(problem, ['rules', i, 'when']), rule, file),
      ),
      ...unknownMembers(rule.when, ['rules', i, 'when']),
      ...(named.length > 0 ? [] : warningsOf(rule, i, file, warnings)),
      ...checkEffect(rule, i),
    ]),
    ...checkExamples(file),
    ...examplesOfNumbers(file),
  ];
}

/**
 * Findings about rules in a topology: their reroute targets. Also alternatives without a reroute, placed in the
 * topology.
 */
export function checkReroutes(rules: RulesFile, services: readonly ListedService[]): Finding[] {
  const alternatives = services.filter(({ alternative }) => alternative).map(({ name }) => name);
  return rules.rules.flatMap(({ effect, to }, i): Finding[] => {
    if (effect !== 'reroute' || to === undefined || alternatives.includes(to)) return [];
    const path = ['rules', i, 'to'];
    if (services.some(({ name }) => name === to)) {
      const message = `"${to}" is no alternative: it stands in the flow`;
      return [
        {
          path,
          code: 'TB_RULES_NOT_ALTERNATIVE',
          message,
          hint: 'give the service `role: alternative` in the topology',
        },
      ];
    }
    const hint = suggestName(to, alternatives, 'alternatives of the topology');
    return [{ path, code: 'TB_RULES_UNKNOWN_SERVICE', message: `no service of the topology is named "${to}"`, hint }];
  });
}

/** Findings about rules over items: an item cannot be without its id. */
export function checkItemRules(rules: RulesFile, services: readonly ListedService[]): Finding[] {
  const keeping = services.find(({ persistence }) => persistence)?.name;
  if (keeping === undefined) return [];
  return rules.rules.flatMap(({ id, redact }, i): Finding[] => {
    if (![...(redact?.remove ?? []), ...(redact?.pseudonymise ?? [])].includes('/id')) return [];
    const message = `the rule "${id}" withholds /id: where it matches an item of "${keeping}", the item is refused`;
    const hint = 'write `effect: deny`, or withhold other fields';
    return [{ path: ['rules', i, 'redact'], code: 'TB_RULES_EFFECT', message, hint, severity: 'warning' }];
  });
}

/** Findings about the topology: alternatives that no rule reroutes to. */
export function checkAlternatives(rules: RulesFile | undefined, services: readonly ListedService[]): Finding[] {
  const reached = new Set(rules?.rules.map(({ to }) => to));
  return services
    .filter(({ name, alternative }) => alternative && !reached.has(name))
    .map(({ name, entry }) => ({
      path: ['services', entry, 'name'],
      code: 'TB_TOPOLOGY_UNUSED_ALTERNATIVE',
      message: `no rule reroutes to the alternative "${name}"`,
      severity: 'warning',
    }));
}

function placed({ code, place, message, hint }: ConditionProblem, base: Path): Finding {
  return { path: [...base, ...place], code, message, hint };
}

/** Puts the nearest known name first in the hint. The shared check lists all known names. */
function withSuggestion(finding: Finding, rule: Rule, { conditions }: RulesFile): Finding {
  if (finding.code !== 'TB_RULES_UNKNOWN_CONDITION') return finding;
  let named: unknown = rule.when;
  for (const step of finding.path.slice(3)) named = (named as Record<string | number, unknown>)[step];
  return { ...finding, hint: suggestName(String(named), Object.keys(conditions), 'named conditions') };
}

/** Paths whose first member does not exist in the fact: they are missing in every request. */
function unknownMembers(condition: Condition, path: Path): Finding[] {
  if ('all' in condition) return condition.all.flatMap((part, i) => unknownMembers(part, [...path, 'all', i]));
  if ('any' in condition) return condition.any.flatMap((part, i) => unknownMembers(part, [...path, 'any', i]));
  if ('not' in condition) return unknownMembers(condition.not, [...path, 'not']);
  if ('condition' in condition) return [];
  const { value } = condition;
  const other =
    typeof value === 'object' && value !== null && 'fact' in value
      ? unknownMember(value, [...path, 'value', 'path'])
      : [];
  return [...unknownMember(condition, [...path, 'path']), ...other];
}

function unknownMember({ fact, path: text }: { fact: unknown; path?: unknown }, path: Path): Finding[] {
  const known: readonly string[] | undefined = Object.hasOwn(ruleFactMembers, String(fact))
    ? ruleFactMembers[fact as keyof typeof ruleFactMembers]
    : undefined;
  const member = typeof text === 'string' ? parseRulePath(text)?.[0] : undefined;
  if (!known || member === undefined || known.includes(member)) return [];
  const message = `the fact "${fact}" has no member "${member}"`;
  return [{ path, code: 'TB_RULES_UNKNOWN_FACT', message, hint: suggestName(member, known, `members of ${fact}`) }];
}

interface Warnings {
  never: ReturnType<typeof neverReasons>;
  passes: ReturnType<typeof missingPasses>;
}

/** Skips conditions with errors: these have their own findings. */
function warningsOf({ id, effect, when }: Rule, i: number, file: RulesFile, { never, passes }: Warnings): Finding[] {
  if (checkCondition(when, file.conditions).length > 0) return [];
  const warning = { path: ['rules', i, 'when'], severity: 'warning' } as const;
  const why = never(when);
  if (why !== undefined) {
    const message = `the rule "${id}" (${effect}) can never match: ${why}`;
    return [{ ...warning, code: 'TB_RULES_NEVER_MATCHES', message }];
  }
  const passing = effect !== 'allow' && file.default !== 'deny' ? passes(when) : undefined;
  if (!passing) return [];
  const message = `the rule "${id}" (${effect}) may ${effect} less than it seems: ${passing.reason}`;
  return [{ ...warning, code: 'TB_RULES_MISSING_PASSES', message, hint: passing.hint }];
}

function duplicateIds(rules: readonly Rule[]): Finding[] {
  const seen = new Set<string>();
  return rules.flatMap(({ id }, i): Finding[] => {
    const isNew = !seen.has(id);
    seen.add(id);
    if (isNew) return [];
    return [{ path: ['rules', i, 'id'], code: 'TB_RULES_DUPLICATE_ID', message: `a second rule has the id "${id}"` }];
  });
}

function checkEffect({ id, effect, redact, to }: Rule, i: number): Finding[] {
  const path: Path = ['rules', i];
  const findings: Finding[] = [];
  const report = (at: string, message: string): void =>
    void findings.push({ path: [...path, at], code: 'TB_RULES_EFFECT', message });
  if (effect === 'redact' && (redact?.remove.length ?? 0) + (redact?.pseudonymise.length ?? 0) === 0) {
    report(
      redact ? 'redact' : 'effect',
      `the rule "${id}" redacts nothing: give \`redact\` pointers to \`remove\` or \`pseudonymise\``,
    );
  }
  if (effect === 'reroute' && to === undefined)
    report('effect', `the rule "${id}" reroutes nowhere: name the alternative in \`to\``);
  if (effect !== 'redact' && redact) report('redact', `\`redact\` has no effect in a rule with effect "${effect}"`);
  if (effect !== 'reroute' && to !== undefined) report('to', `\`to\` has no effect in a rule with effect "${effect}"`);
  return findings;
}

/**
 * Examples may expect only existing rules. For a `forEach` rule any `id@service` is valid: the services are in the
 * topology.
 */
function checkExamples({ rules, examples }: RulesFile): Finding[] {
  const known = rules.map(({ id, forEach }) => (forEach ? `${id}@<service>` : id));
  const exists = (id: string): boolean =>
    rules.some((rule) => (rule.forEach ? id.startsWith(`${rule.id}@`) : id === rule.id));
  return examples.flatMap(({ expect }, i) => {
    const path = ['examples', i, 'expect'];
    const expected: { id: string; path: Path }[] = (expect.rules ?? []).map((id, at) => ({
      id,
      path: [...path, 'rules', at],
    }));
    if (expect.rule !== undefined) expected.unshift({ id: expect.rule, path: [...path, 'rule'] });
    return expected
      .filter(({ id }) => !exists(id))
      .map(
        ({ id, path: at }): Finding => ({
          path: at,
          code: 'TB_RULES_UNKNOWN_RULE',
          message: `no rule has the id "${id}"`,
          hint: suggestName(id, known, 'rules'),
        }),
      );
  });
}

/** No request has such a number: the example would decide what never happens. */
function examplesOfNumbers({ examples }: RulesFile): Finding[] {
  return examples.flatMap(({ request }, i): Finding[] => {
    const number = inexactNumber(request.payload);
    if (number === undefined) return [];
    const message = `the number ${number} of the payload is not one that roles exchange`;
    const hint = `give a finite number, and whole ones up to ±${Number.MAX_SAFE_INTEGER}`;
    return [{ path: ['examples', i, 'request', 'payload'], code: 'TB_RULES_VALUE', message, hint }];
  });
}
