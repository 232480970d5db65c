/** Which columns queries over Flight SQL may read. The store is the target, as it is for calls for items. */
import type { Condition, Effect, Rule } from '@topo-bench/core/schema/rules';
import { graphOf } from '@topo-bench/topology';
import { describe, expect, it } from 'vitest';
import { type QueryAccess, queryAccess } from '../src/query-access.ts';

type RuleParts = Pick<Rule, 'id' | 'when' | 'effect'> & Partial<Pick<Rule, 'redact'>>;

function accessBy(rule: RuleParts, region?: string): QueryAccess {
  const persistence = { store: 'sql-indexed' as const, rows: 1, ...(region !== undefined && { region }) };
  const services = [{ name: 'orders', persistence, arrow: { flight: { sql: {} } } }];
  const nodes = [{ name: 'a', region: 'eu' }];
  const graph = graphOf(
    {
      apiVersion: 'topo-bench/v1',
      kind: 'Topology',
      name: 't',
      nodes,
      services,
      enforcement: { architecture: 'sidecar' },
    },
    { apiVersion: 'topo-bench/v1', kind: 'Rules', name: 'r', rules: [rule] },
  );
  return queryAccess(graph, 'orders', [
    { name: 'id', fields: ['id'] },
    { name: 'customer', fields: ['customer'] },
  ]);
}

describe('the oracle of queries', () => {
  const abroad: Condition = { fact: 'target', path: '$.region', operator: 'notEqual', value: 'eu' };
  const rule = (effect: Effect, others: object = {}): RuleParts => ({ id: 'abroad', when: abroad, effect, ...others });

  it('decides by the region of the store, not of the service', () => {
    expect(accessBy(rule('deny'))).toEqual({ refused: false, withheld: [], effect: 'allow', rule: undefined });
    expect(accessBy(rule('deny'), 'us')).toEqual({ refused: true });
    const redact = { remove: ['/customer'], pseudonymise: [] };
    expect(accessBy(rule('redact', { redact }), 'us')).toMatchObject({ refused: false, withheld: ['customer'] });
    const vip: Condition = { fact: 'request', path: '$.payload.customer', operator: 'equal', value: 'vip' };
    expect(accessBy({ id: 'vip', effect: 'deny', when: { all: [abroad, vip] } }, 'us')).toEqual({ refused: true });
  });
});
