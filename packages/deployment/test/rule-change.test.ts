import { graphOf } from '@topo-bench/topology';
import { describe, expect, it } from 'vitest';
import { planDeployment } from '../src/plan-deployment.ts';
import { ruleChange } from '../src/rule-change.ts';
import { ruleMessages } from '../src/rule-stages.ts';

const rule = (service: string) => ({
  ...{ id: `not-to-${service}`, effect: 'deny' as const },
  when: { fact: 'target' as const, path: '$.service', operator: 'equal', value: service },
});
type Enforcement = Partial<Parameters<typeof graphOf>[0]['enforcement']>;
function changeOf(enforcement: Enforcement = {}, rules: object[] = [rule('svc-1'), rule('svc-2')]) {
  const graph = graphOf(
    {
      ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 't', services: [{ generate: 2 }] },
      nodes: [{ name: 'n', region: 'eu' }],
      enforcement: { architecture: 'sidecar', ...enforcement },
    },
    { apiVersion: 'topo-bench/v1', kind: 'Rules', name: 'r', rules: rules as ReturnType<typeof rule>[] },
  );
  return ruleChange(graph, planDeployment(graph), 3);
}

describe('a change of rules', () => {
  it('gives each point its part, and the gateway the names of all rules first', () => {
    const change = changeOf();
    const sent = ruleMessages(change).map((stage) =>
      stage.map(({ to, change: { rules } }) => [to, rules?.rules.length]),
    );
    expect(sent).toEqual([
      [['gateway', undefined]],
      [
        ['svc-1-sidecar', 1],
        ['svc-2-sidecar', 1],
      ],
    ]);
    expect(ruleMessages(change)[0]?.[0]?.change).toEqual({ version: 3, ruleIds: ['not-to-svc-1', 'not-to-svc-2'] });
  });

  it('is stamped when all points have confirmed, or at once where points fetch it', () => {
    const last = ruleMessages(changeOf({ consistency: 'versioned' })).at(-1);
    expect(last).toEqual([{ to: 'gateway', change: { version: 3, stamped: true } }]);
    const fetched = ruleMessages(changeOf({ consistency: 'versioned', distribution: { poll: '1s' } }));
    expect(fetched).toHaveLength(1);
    expect(fetched[0]?.[0]?.change).toMatchObject({ stamped: true, parts: { 'svc-1-sidecar': { default: 'allow' } } });
  });

  it('has a digest of the rules, whatever the order of members in the file', () => {
    const reordered = [rule('svc-1'), rule('svc-2')].map(({ id, effect, when: { value, ...when } }) => ({
      ...{ when: { value, ...when }, effect, id },
    }));
    expect(changeOf({}, reordered).digest).toBe(changeOf().digest);
    expect(changeOf({}, [rule('svc-2'), rule('svc-1')]).digest).not.toBe(changeOf().digest);
    expect(changeOf().digest).toMatch(/^[0-9a-f]{16}$/);
  });
});
