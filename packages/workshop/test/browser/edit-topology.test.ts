import { readFileSync } from 'node:fs';
import { graphOf, parseSource } from '@topo-bench/topology';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { addService, deleteService, moveService, renameService, setDelay } from '../../src/browser/edit-topology.ts';
import { generated } from '../fixtures/question.ts';

const text = readFileSync(new URL('../../../../topologies/quickstart.yaml', import.meta.url), 'utf8');

/** Lines that are not in the other text. */
function changedLines(before: string, after: string): { removed: string[]; added: string[] } {
  const [old, own] = [before.split('\n'), after.split('\n')];
  return {
    removed: old.filter((line) => !own.includes(line)),
    added: own.filter((line) => !old.includes(line)),
  };
}

const servicesOf = (topology: string) => {
  const { rules: _, ...value } = parseSource({ text: topology, file: 'topology' }).value as never as Record<
    string,
    never
  >;
  const { services, nodes } = graphOf({ ...(value as object), rules: undefined } as never);
  return services.map(({ name, node }) => ({ name, node: nodes[node]?.name ?? '' }));
};

describe('an edit through the drawing', () => {
  it('of a text without services adds the first one, and changes none', () => {
    const empty = 'kind: Topology\nnodes: [{ name: eu-1, region: eu }]\n';
    expect(parseDocument(addService(empty, { name: 'a', node: 'eu-1' })).toJS()).toMatchObject({
      services: [{ name: 'a', node: 'eu-1' }],
    });
    expect(moveService(empty, 'a', 'eu-1', [])).toBe(empty);
    expect(deleteService(empty, 'a', [])).toBe(empty);
  });

  it('of the node of a service changes its line only', () => {
    expect(changedLines(text, moveService(text, 'payments', 'eu-2', []))).toEqual({
      removed: ['  - { name: payments, node: us-1, tags: [payment] }'],
      added: ['  - { name: payments, node: eu-2, tags: [payment] }'],
    });
  });

  it('of a name changes it in the flow as well', () => {
    expect(changedLines(text, renameService(text, 'pharmacy', 'apothecary', [])).added).toEqual([
      '  - { name: apothecary, node: eu-2, tags: [health] }',
      'flow: [orders, payments, [apothecary, shipping], recommendations, audit]',
    ]);
  });

  it('deletes a service and its step, and the group that is empty then', () => {
    const without = ['pharmacy', 'shipping'].reduce((given, name) => deleteService(given, name, []), text);
    const { removed, added } = changedLines(text, without);
    expect(added).toEqual(['flow: [orders, payments, recommendations, audit]']);
    expect(removed).toHaveLength(3);
  });

  it('adds a service at the end of the flow', () => {
    expect(changedLines(text, addService(text, { name: 'billing', node: 'us-1' })).added).toEqual([
      '  - { name: billing, node: us-1 }',
      'flow: [orders, payments, [pharmacy, shipping], recommendations, audit, billing]',
    ]);
  });

  it('sets the delay of a link in either direction, and adds one', () => {
    expect(changedLines(text, setDelay(text, 'us', 'eu', '3ms')).added).toEqual([
      'links: [{ from: eu, to: us, delay: 3ms }]',
    ]);
    expect(setDelay(text, 'eu', 'eu', '1ms')).toContain('{ from: eu, to: eu, delay: 1ms }');
  });

  it('of a text with other line ends is the same', () => {
    const edited = moveService(text.replaceAll('\n', '\r\n'), 'payments', 'eu-2', []);
    expect(edited.replaceAll('\r\n', '\n')).toBe(moveService(text, 'payments', 'eu-2', []));
  });

  it('keeps every comment', () => {
    const comments = (given: string) => given.split('\n').filter((line) => line.trim().startsWith('#'));
    const edited = deleteService(renameService(text, 'audit', 'log', []), 'shipping', []);
    expect(comments(edited)).toEqual(comments(text));
  });

  it('of a generated service writes the generated ones out, where they are drawn', () => {
    const drawn = servicesOf(generated);
    const moved = moveService(generated, 'svc-3', 'us-1', drawn);
    const after = servicesOf(moved);
    expect(after).toHaveLength(24);
    expect(after.filter(({ node }, at) => node !== drawn[at]?.node)).toEqual([{ name: 'svc-3', node: 'us-1' }]);
  });

  it('of a text with errors changes nothing', () => {
    expect(moveService('services: [', 'a', 'b', [])).toBe('services: [');
  });
});
