import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSource } from '@topo-bench/topology';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';

import { errorPage } from '../build/generators/error-page.ts';
import type { GeneratedFile } from '../build/generators/generator.ts';
import { jsonSchemas } from '../build/generators/json-schemas.ts';
import { schemaReference } from '../build/generators/schema-reference.ts';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const text = (path: string): string => readFileSync(join(root, path), 'utf8');
const generated: GeneratedFile[] = [...jsonSchemas(), ...schemaReference(), ...errorPage()];

it.each(generated)('$path is what the code generates', ({ path, content }) => {
  expect(text(path)).toBe(content);
});

/** Another implementation of JSON Schema than the one that wrote them. */
function validator(name: string) {
  const ajv = new Ajv({ allErrors: true, strict: false });
  addFormats.default(ajv);
  return ajv.compile(JSON.parse(text(`docs/schema/${name}.schema.json`)));
}

describe('the published schemas', () => {
  it.each([
    ['topology', 'topologies'],
    ['rules', 'rules'],
    ['experiment', 'experiments'],
  ])('of a %s file accept all that are shipped', (schema, folder) => {
    const validate = validator(schema);
    const files = readdirSync(join(root, folder)).filter((name) => name.endsWith('.yaml'));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      validate(parseSource({ file, text: text(join(folder, file)) }).value);
      expect(validate.errors ?? [], file).toEqual([]);
    }
  });

  it('refuse what topo-bench refuses', () => {
    const validate = validator('topology');
    const head = { apiVersion: 'topo-bench/v1', kind: 'Topology', name: 'x' };
    expect(validate({ ...head, services: [{ name: 'a' }] })).toBe(true);
    expect(validate({ ...head, services: [{ name: 'a', wrk: '1ms' }] })).toBe(false);
    expect(validate({ ...head, services: [{ name: 'a', work: 10 }] })).toBe(false);
    expect(validate({ ...head, services: [{ name: 'a' }], flow: ['a', ['a', [['a']]]] })).toBe(true);
    expect(validate({ ...head, services: [{ name: 'a' }], flow: ['a', [{}]] })).toBe(false);
  });

  it('accept the operators of conditions, decorated ones too', () => {
    const validate = validator('rules');
    const file = (operator: string) => ({
      apiVersion: 'topo-bench/v1',
      kind: 'Rules',
      name: 'r',
      rules: [{ id: 'x', effect: 'deny', when: { all: [{ not: { fact: 'request', operator, value: 1 } }] } }],
    });
    expect(['equal', 'someFact:not:equal', 'equals', 'same:equal'].map((operator) => validate(file(operator)))).toEqual(
      [true, true, false, false],
    );
  });
});
