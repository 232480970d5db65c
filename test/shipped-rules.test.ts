/**
 * The rule sets that people copy: each carries a decision table, both engines and the oracle agree with it, and it
 * leaves nothing out.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { rightDecision } from '@topo-bench/oracle';
import { exampleServices, factsOf, runExamples } from '@topo-bench/rule-engine';
import { expandRules, loadRules } from '@topo-bench/topology';
import { describe, expect, test } from 'vitest';

const folder = new URL('../rules/', import.meta.url);
const files = readdirSync(folder);

describe.each(files)('rules/%s', (file) => {
  const { rules, problems } = loadRules({ file, text: readFileSync(new URL(file, folder), 'utf8') });
  if (!rules) throw new Error(JSON.stringify(problems));
  const ruleSet = expandRules(rules, exampleServices(rules.examples));

  test('has no problems, not even warnings', () => {
    expect(problems).toEqual([]);
  });

  test('decides every example as in its table, with either engine', async () => {
    const results = await runExamples(ruleSet, rules.examples);
    expect(results.filter(({ passed }) => !passed)).toEqual([]);
    expect(results.length).toBeGreaterThan(0);
  });

  test('decides every example as the oracle does', async () => {
    const results = await runExamples(ruleSet, rules.examples);
    expect(results.map(({ decision }) => decision)).toEqual(
      rules.examples.map((example) => rightDecision(ruleSet, factsOf(example))),
    );
  });
});

test('every rule of gdpr and routing-study decides some example', () => {
  for (const file of ['gdpr.yaml', 'routing-study.yaml']) {
    const { rules } = loadRules({ file, text: readFileSync(new URL(file, folder), 'utf8') });
    const named = new Set(rules?.examples.map(({ expect: { rule, rules: all } }) => (rule ?? all?.[0])?.split('@')[0]));
    expect(
      rules?.rules.map(({ id }) => id).filter((id) => !named.has(id)),
      file,
    ).toEqual([]);
  }
});

test('the large set has 2000 rules and more for 50 services', () => {
  const { rules } = loadRules({ file: 'large.yaml', text: readFileSync(new URL('large.yaml', folder), 'utf8') });
  const services = Array.from({ length: 50 }, (_, i) => ({ name: `svc-${i + 1}` }));
  expect(rules && expandRules(rules, services).rules.length).toBeGreaterThanOrEqual(2000);
});
