import { readFileSync } from 'node:fs';
import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { describe, expect, it, test } from 'vitest';
import { completionOf, placeIn } from '../../src/browser/completion.ts';

const schemaOf = (kind: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../../docs/schema/${kind}.schema.json`, import.meta.url), 'utf8'));
const names = () => ({
  ...{ nodes: ['eu-1', 'us-1'], regions: ['eu', 'us'], services: ['orders', 'audit'] },
  conditions: ['personal-data'],
});

/** Labels of the completion at the end of a text. */
async function labels(text: string, kind = 'topology'): Promise<string[]> {
  const state = EditorState.create({ doc: text });
  const result = await completionOf(schemaOf(kind), names)(new CompletionContext(state, text.length, true));
  return result?.options.map(({ label }) => label) ?? [];
}

test.each([
  ['', { path: [] }],
  ['enf', { path: [], key: 'enf' }],
  ['enforcement:\n  ', { path: ['enforcement'] }],
  ['enforcement: { style: ', { path: ['enforcement'], key: 'style' }],
  ['services:\n  - { name: a, ', { path: ['services', '*'] }],
  ['services:\n- name: a\n  ', { path: ['services', '*'] }],
  ['services:\n  - name: a\n    work:\n      ', { path: ['services', '*', 'work'] }],
  ['nodes:\n  - { name: a }\nlinks: [{ from: eu, to: ', { path: ['links', '*'], key: 'to' }],
  ['flow: [a, [b, ', { path: ['flow', '*', '*'], key: '' }],
  ['flow: [a, [b], ', { path: ['flow', '*'], key: '' }],
])('the place at the end of %j is %j', (text, place) => {
  expect(placeIn(text)).toEqual(place);
});

describe('completion', () => {
  it('has the fields of the schema at the place of the cursor', async () => {
    expect(await labels('')).toEqual(expect.arrayContaining(['services', 'flow', 'enforcement']));
    expect(await labels('enforcement:\n  ')).toEqual(expect.arrayContaining(['architecture', 'routers', 'style']));
    expect(await labels('services:\n  - { name: a, ')).toEqual(expect.arrayContaining(['node', 'work', 'tags']));
    expect(await labels('services:\n  - { name: a, ')).not.toContain('enforcement');
  });

  it('has the values of the schema, and the names of the text', async () => {
    expect(await labels('enforcement: { style: ')).toEqual(['forward', 'nested']);
    expect(await labels('services:\n  - { name: a, node: ')).toEqual(['eu-1', 'us-1']);
    expect(await labels('flow: [orders, ')).toEqual(['orders', 'audit']);
    expect(await labels('links: [{ from: ')).toEqual(['eu', 'us', 'eu-1', 'us-1']);
  });

  it('has the fields of rules and of their conditions, and the names of conditions', async () => {
    expect(await labels('rules:\n  - id: a\n    ', 'rules')).toEqual(
      expect.arrayContaining(['when', 'effect', 'redact']),
    );
    expect(await labels('rules:\n  - id: a\n    effect: ', 'rules')).toEqual(['deny', 'reroute', 'redact', 'allow']);
    const conditions = 'rules:\n  - id: a\n    when: { all: [{ ';
    expect(await labels(conditions, 'rules')).toEqual(expect.arrayContaining(['fact', 'operator', 'condition', 'not']));
    expect(await labels(`${conditions}condition: `, 'rules')).toEqual(['personal-data']);
  });
});
