/** Decision tables: what passes, and what is said of rows that do not. */
import { ruleExample } from '@topo-bench/core/schema/rules';
import { expect, test } from 'vitest';
import { exampleServices, runExamples } from '../src/run-examples.ts';
import { comparison, ruleSet } from './facts.ts';

const rules = ruleSet([
  { id: 'no-us', when: comparison('request', '$.origin', 'equal', 'us') },
  { id: 'all', effect: 'allow' },
]);
const example = (service: string, origin: string, expected: unknown) =>
  ruleExample.parse({ name: `${origin} at ${service}`, request: { origin }, target: { service }, expect: expected });

test('rows pass that expect the decision, as much of it as they name', async () => {
  const results = await runExamples(rules, [
    example('a', 'us', { effect: 'deny' }),
    example('b', 'us', { effect: 'deny', rule: 'no-us', rules: ['no-us', 'all'] }),
  ]);
  expect(results.map(({ passed, decision }) => [passed, decision.effect])).toEqual([
    [true, 'deny'],
    [true, 'deny'],
  ]);
});

test('a row that fails shows the expected and the actual decision', async () => {
  const [result] = await runExamples(rules, [example('a', 'eu', { effect: 'deny', rule: 'no-us', rules: [] })]);
  expect(result).toMatchObject({ index: 0, name: 'eu at a', passed: false });
  expect(result?.problems).toEqual([
    'expected the effect deny, got allow',
    'expected the rule no-us, got all',
    'expected the matching rules none, got all',
  ]);
});

test('the services of a table are named once each', () => {
  const table = ['a', 'b', 'a'].map((service) => example(service, 'eu', { effect: 'allow' }));
  expect(exampleServices(table)).toEqual([{ name: 'a' }, { name: 'b' }]);
});
