/** The rule set that `init` writes: one rule of each kind, with the decision table that proves them. */
export const rulesTemplate = `# Rules: who may get which data. Conditions are those of json-rules-engine over the facts request, target and flow.
# Run the examples below with: npx topo-bench rules test rules.yaml
apiVersion: topo-bench/v1
kind: Rules
name: my-rules

# What holds when no rule matches: allow or deny.
default: allow

rules:
  # Personal data of EU origin stays in the EU: the European alternative gets it instead.
  - id: eu-data-stays
    when:
      all:
        - { fact: request, path: $.origin, operator: equal, value: eu }
        - { fact: request, path: $.categories, operator: contains, value: personal }
        - { fact: target, path: $.service, operator: equal, value: scoring }
    effect: reroute
    to: scoring-eu

  # Without consent, analytics gets nothing. deny answers 451 and names the rule.
  - id: consent-for-analytics
    when:
      all:
        - { fact: target, path: $.tags, operator: contains, value: analytics }
        - { fact: request, path: $.categories, operator: contains, value: personal }
        - { fact: request, path: $.consents, operator: doesNotContain, value: analytics }
    effect: deny

  # Analytics sees a pseudonym, never the customer.
  - id: pseudonyms-for-analytics
    when:
      all:
        - { fact: target, path: $.tags, operator: contains, value: analytics }
        - { fact: request, path: $.categories, operator: contains, value: personal }
    effect: redact
    redact: { pseudonymise: [/customer] }

# Each example is a row of the decision table: request and target, and what must follow.
examples:
  - name: a European order with consent is scored in the EU
    request: { origin: eu, categories: [personal], consents: [analytics] }
    target: { service: scoring, node: us-1, region: us, tags: [analytics] }
    expect: { effect: reroute, rule: eu-data-stays }
  - name: without consent there is no scoring
    request: { origin: us, categories: [personal] }
    target: { service: scoring, node: us-1, region: us, tags: [analytics] }
    expect: { effect: deny, rule: consent-for-analytics }
  - name: scoring sees a pseudonym
    request: { origin: us, categories: [personal], consents: [analytics] }
    target: { service: scoring, node: us-1, region: us, tags: [analytics] }
    expect: { effect: redact, rule: pseudonyms-for-analytics }
  - name: data without a person goes anywhere
    request: { origin: eu }
    target: { service: scoring, node: us-1, region: us, tags: [analytics] }
    expect: { effect: allow }
`;
