import { describe, expect, it } from 'vitest';
import { loadTopology } from '../src/load-topology.ts';

const topology = `apiVersion: topo-bench/v1
kind: Topology
name: shop
nodes: [{ name: eu-1, region: eu }, { name: us-1, region: us }]
services:
  - { name: orders, node: eu-1 }
  - { name: payments, node: us-1, tags: [payment] }
requests:
  classes:
    - { name: order, origin: eu, purpose: contract, consents: [analytics], payload: { card: { category: payment } } }
rules: rules.yaml
`;

/** Warnings on one condition, as `line:column message; hint`. */
function warningsOn(condition: string): string[] {
  const rules = `apiVersion: topo-bench/v1
kind: Rules
name: shop
rules:
  - id: one
    effect: deny
    when: ${condition}
`;
  const { problems, graph } = loadTopology({
    topology: { file: 'shop.yaml', text: topology },
    rules: { file: 'rules.yaml', text: rules },
  });
  expect(graph).toBeDefined();
  return problems
    .filter(({ code }) => code === 'TB_RULES_UNKNOWN_VALUE')
    .map(({ file, line, severity, message, hint }) => `${file}:${line} ${severity} ${message}; ${hint}`);
}

describe('a value in a rule that nothing in the topology has', () => {
  it.each([
    [
      '{ fact: request, path: $.categories, operator: contains, value: paymnt }',
      'category of data',
      'paymnt',
      'payment',
    ],
    [
      '{ fact: request, path: "$.categories[0]", operator: equal, value: paymnt }',
      'category of data',
      'paymnt',
      'payment',
    ],
    ['{ fact: target, path: $.tags, operator: contains, value: payments }', 'tag of a service', 'payments', 'payment'],
    ['{ fact: target, path: $.service, operator: equal, value: payment }', 'service', 'payment', 'payments'],
    ['{ fact: target, path: $.node, operator: in, value: [eu-1, us-l] }', 'node', 'us-l', 'us-1'],
    [
      '{ fact: request, path: $.consents, operator: doesNotContain, value: analytic }',
      'consent',
      'analytic',
      'analytics',
    ],
    [
      '{ fact: request, path: $.purpose, operator: notEqual, value: contrct }',
      'purpose of requests',
      'contrct',
      'contract',
    ],
    ['{ fact: request, path: $.class, operator: equal, value: orders }', 'class of requests', 'orders', 'order'],
    [
      '{ not: { any: [{ fact: flow, path: $.services, operator: contains, value: oders }] } }',
      'service',
      'oders',
      'orders',
    ],
    [
      '{ fact: request, path: $.categories, operator: "someFact:in", value: [paymnt] }',
      'category of data',
      'paymnt',
      'payment',
    ],
  ])('is a warning with the name that was meant: %s', (condition, noun, value, meant) => {
    expect(warningsOn(condition)).toEqual([
      `rules.yaml:7 warning no ${noun} in the topology is "${value}": the condition never finds it; did you mean "${meant}"?`,
    ]);
  });

  it.each([
    '{ fact: request, path: $.categories, operator: contains, value: payment }',
    // A rule file serves several topologies: no similar name, no doubt.
    '{ fact: target, path: $.tags, operator: contains, value: health }',
    // A substring, not a value.
    '{ fact: request, path: $.origin, operator: in, value: eu-wst }',
    '{ fact: request, path: $.payload.card, operator: equal, value: paymnt }',
    '{ fact: request, path: $.consents, operator: contains, value: { fact: target, path: $.service } }',
    '{ fact: request, path: $.consents, operator: contains, value: orders }',
  ])('is no warning where the value exists, resembles none, or is no value: %s', (condition) => {
    expect(warningsOn(condition)).toEqual([]);
  });
});
