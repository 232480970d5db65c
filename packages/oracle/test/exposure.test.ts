import type { GatewayRequest } from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import { createOracle } from '../src/oracle.ts';
import type { OracleGraph } from '../src/read-services.ts';
import { at, type GraphOptions, graphOf, requestOf, ruleList, type ShortRule } from './fixtures/graphs.ts';

const expectedExposure = (request: GatewayRequest, graph: OracleGraph) =>
  createOracle(graph).expectedFlow(request).exposureBytes;

// The gateway is on `eu`. email: 15 bytes, personal. card: 4 bytes, payment. note: no category.
const all = { personal: 15, payment: 4 };
const exposure = (architecture: 'sidecar' | 'central-entity', nodes: Record<string, string>, ...rules: ShortRule[]) => {
  const options: GraphOptions = {
    flow: ['a', 'b', 'c'],
    alternatives: ['x'],
    nodes,
    architecture,
    rules: { rules: ruleList(...rules) },
  };
  return expectedExposure(requestOf(), graphOf(options));
};
const deny = (service: string): ShortRule => ({ id: 'no', when: at(service), effect: 'deny' });
const redact = (service: string, ...remove: string[]): ShortRule => ({
  id: `hide-${service}`,
  when: at(service),
  effect: 'redact',
  remove,
});

describe('exposure', () => {
  it('is none when the central entity refuses on another node, and everything when a sidecar does', () => {
    expect(exposure('central-entity', { b: 'us' }, deny('b'))).toEqual({});
    expect(exposure('sidecar', { b: 'us' }, deny('b'))).toEqual(all);
  });

  it('is everything when the target shares the node of gateway and central entity', () => {
    expect(exposure('central-entity', { a: 'us' }, deny('b'))).toEqual(all);
  });

  it('leaves out what an earlier permitted step had put on the node', () => {
    expect(exposure('sidecar', { a: 'us', b: 'us' }, deny('b'))).toEqual({});
    expect(exposure('sidecar', { a: 'us', b: 'us' }, redact('a', '/card'), deny('b'))).toEqual({ payment: 8 });
    expect(exposure('sidecar', { a: 'us', b: 'in', c: 'us' }, redact('a', '/card'), deny('c'))).toEqual({ payment: 8 });
  });

  it('of a redaction is that of the hidden fields alone, pseudonyms too', () => {
    expect(exposure('sidecar', { b: 'us' }, redact('b', '/card'))).toEqual({ payment: 4 });
    expect(
      exposure('sidecar', { b: 'us' }, { ...redact('b', '/card'), pseudonymise: ['/email', '/note', '/none'] }),
    ).toEqual(all);
    expect(exposure('central-entity', { b: 'us' }, redact('b', '/card'))).toEqual({});
  });

  it('counts a rerouted step as refused to its target, then the alternative on its own node', () => {
    const go: ShortRule = { id: 'go', when: at('b'), effect: 'reroute', to: 'x' };
    expect(exposure('sidecar', { a: 'us', b: 'in', x: 'us' }, go)).toEqual(all);
    expect(exposure('sidecar', { b: 'in', x: 'us' }, go, deny('x'))).toEqual({ personal: 30, payment: 8 });
    expect(exposure('central-entity', { b: 'in', x: 'us' }, go, deny('x'))).toEqual({});
  });

  it('counts values by their bytes: UTF-8 of a text, JSON of anything else, a value inside a withheld one once', () => {
    const graph = graphOf({
      flow: ['a'],
      nodes: { a: 'us' },
      rules: { rules: ruleList(redact('a', '/address', '/address/street', '/name', '/a~1b/~0')) },
    });
    const request = requestOf({
      payload: { address: { street: 'é', no: 7 }, name: 'é', 'a/b': { '~': [1, 2] }, other: 'x' },
      fieldCategories: { address: 'personal', name: 'name', 'a/b': 'odd', other: 'personal' },
    });
    const address = Buffer.byteLength(JSON.stringify({ street: 'é', no: 7 }));
    expect(expectedExposure(request, graph)).toEqual({ personal: address, name: 2, odd: 5 });
  });

  it('counts after a group what its branches received and what they were permitted', () => {
    const after = (...rules: ShortRule[]) => {
      const graph = graphOf({
        flow: [['a', 'b'], 'c'],
        nodes: { a: 'us', b: 'in', c: 'us' },
        rules: { rules: ruleList(...rules) },
      });
      return expectedExposure(requestOf(), graph);
    };
    expect(after(deny('c'))).toEqual({});
    expect(after(redact('a', '/card'), deny('c'))).toEqual({ payment: 8 });
  });

  it('is worked out in no more time for one group after the other than for a chain', () => {
    const flow = Array.from({ length: 60 }, (_, i) => [`a${i}`, `b${i}`]);
    const graph = graphOf({ flow, nodes: { b59: 'us' }, rules: { rules: ruleList(deny('b59')) } });
    expect(expectedExposure(requestOf(), graph)).toEqual(all);
  });

  it('counts after a group what was permitted before it', () => {
    const graph = graphOf({
      flow: ['a', ['b', 'c'], 'd'],
      nodes: { a: 'us', d: 'us' },
      rules: { rules: ruleList(deny('d')) },
    });
    expect(expectedExposure(requestOf(), graph)).toEqual({});
  });

  it('of a copy at the alternative takes the redactions of both decisions as withheld', () => {
    const go: ShortRule = { id: 'go', when: at('a'), effect: 'reroute', to: 'x' };
    // The alternative gets neither card nor email, so neither is there by permission when `b` is refused on its node.
    const rules = [go, redact('a', '/card'), redact('x', '/email'), deny('b')];
    expect(exposure('sidecar', { x: 'us', b: 'us', a: 'in' }, go, deny('b'))).toEqual(all);
    expect(exposure('sidecar', { x: 'us', b: 'us', a: 'in' }, ...rules)).toEqual({ personal: 45, payment: 12 });
  });

  it('is of members where an earlier permitted step had put the rest there', () => {
    const customer = { name: 'Ada', deeper: 'x'.repeat(20), list: ['ab', 'cd'] };
    const bytesOf = (payload: Record<string, unknown>, ...rules: ShortRule[]) => {
      const graph = graphOf({
        flow: ['a', 'b'],
        nodes: { a: 'us', b: 'us' },
        rules: { rules: ruleList(...rules, deny('b')) },
      });
      const request = requestOf({ payload, fieldCategories: { customer: 'personal' } });
      return expectedExposure(request, graph).personal ?? 0;
    };
    // The gateway is elsewhere: the redaction exposes its members once, the denial what the copy lacks again.
    expect(bytesOf({ customer: 'x'.repeat(32) }, redact('a', '/customer/deeper'))).toBe(0);
    expect(bytesOf({ customer }, redact('a', '/customer/deeper'))).toBe(2 * 20);
    expect(bytesOf({ customer }, redact('a', '/customer/deeper', '/customer/list/1'))).toBe(2 * (20 + 2));
    expect(bytesOf({ customer }, redact('a', '/customer/list/length'))).toBe(0);
    expect(bytesOf({ customer }, redact('a', '/customer'))).toBe(2 * JSON.stringify(customer).length);
  });

  it('follows the routers: with fewer than nodes, each is on the first node of its block', () => {
    const options = {
      flow: ['a', 'b', 'c'],
      nodes: { a: 'eu', b: 'us', c: 'in' },
      architecture: 'dynamic-router' as const,
    };
    const exposed = (routers: number, service: string) => {
      const graph = graphOf({ ...options, routers, rules: { rules: ruleList(deny(service)) } });
      return expectedExposure(requestOf(), graph);
    };
    // One router on `eu`; two: `eu` and `us` share the first, `in` has its own; three: one each.
    expect([exposed(1, 'b'), exposed(1, 'c')]).toEqual([{}, {}]);
    expect([exposed(2, 'b'), exposed(2, 'c')]).toEqual([{}, all]);
    expect([exposed(3, 'b'), exposed(3, 'c')]).toEqual([all, all]);
  });

  it('is by category, whatever its name and that of the field', () => {
    const graph = graphOf({ flow: ['a'], nodes: { a: 'us' }, rules: { rules: ruleList(deny('a')) } });
    const request = requestOf({
      payload: JSON.parse('{"__proto__":"abc","constructor":"de","toString":"f"}') as Record<string, unknown>,
      fieldCategories: JSON.parse('{"__proto__":"constructor","constructor":"__proto__"}') as Record<string, string>,
    });
    const bytes = expectedExposure(request, graph);
    expect(JSON.stringify(bytes)).toBe('{"constructor":3,"__proto__":2}');
  });

  it('that was measured otherwise is wrong', () => {
    const graph = graphOf({ flow: ['a'], nodes: { a: 'us' }, rules: { rules: ruleList(deny('a')) } });
    const oracle = createOracle(graph);
    const { steps } = oracle.expectedFlow(requestOf());
    const check = (exposureBytes: Record<string, number>) =>
      oracle.checkRequest(requestOf(), { steps, outcome: 'refused', exposureBytes }).reasons;
    expect(check(all)).toEqual([]);
    expect(check({ ...all, payment: 5 })).toEqual(['5 B of "payment" data were exposed, expected 4 B']);
    expect(check({ payment: 4 })).toEqual(['0 B of "personal" data were exposed, expected 15 B']);
    expect(check({ ...all, constructor: 1 })).toEqual(['1 B of "constructor" data were exposed, expected 0 B']);
  });

  it('of a branch does not see what a parallel branch received', () => {
    const graph = graphOf({ flow: [['a', 'b']], nodes: { a: 'us', b: 'us' }, rules: { rules: ruleList(deny('b')) } });
    expect(expectedExposure(requestOf(), graph)).toEqual(all);
  });
});
