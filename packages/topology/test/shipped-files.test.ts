import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { effectiveRouters } from '../src/assign-routers.ts';
import { type LoadedTopology, loadRules, loadTopology, rulesPath } from '../src/load-topology.ts';
import type { SourceText } from '../src/source-document.ts';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const filesOf = (folder: string): string[] => readdirSync(join(root, folder)).map((name) => join(root, folder, name));
const source = (path: string): SourceText => ({ file: basename(path), text: readFileSync(path, 'utf8') });

function load(path: string): LoadedTopology {
  const topology = source(path);
  const rules = rulesPath(topology);
  return loadTopology({
    topology,
    ...(rules === undefined ? {} : { rules: source(resolve(dirname(path), rules)) }),
  });
}

describe.each(filesOf('topologies'))('%s', (path) => {
  it('names its purpose and its schema in its first lines', () => {
    const [first, second] = source(path).text.split('\n');
    expect(first).toBe('# yaml-language-server: $schema=../docs/schema/topology.schema.json');
    expect(second).toMatch(/^# [A-Z].{40,}/);
    expect(source(path).text).toContain(`\nname: ${basename(path, '.yaml')}\n`);
  });

  it('is valid without any warning', () => {
    expect(load(path).problems).toEqual([]);
  });
});

it.each(filesOf('rules'))('%s is valid and opens with its schema and purpose', (path) => {
  expect(loadRules(source(path)).problems).toEqual([]);
  const [first, second] = source(path).text.split('\n');
  expect(first).toBe('# yaml-language-server: $schema=../docs/schema/rules.schema.json');
  expect(second).toMatch(/^# [A-Z].{20,}/);
});

it('the study keeps the gateway alone on its node and spreads 50 services evenly over the others', () => {
  const { graph } = load(join(root, 'topologies/routing-study.yaml'));
  const counts = graph!.nodes.map(({ index }) => graph!.services.filter(({ node }) => node === index).length);
  expect(counts).toEqual([0, 17, 17, 16]);
  expect(graph!.nodes[graph!.gateways[0].node]!.name).toBe('node-1');
  expect(graph!.rules.rules).toHaveLength(100);
});

it('the largest topology has as many services as there may be', () => {
  const { graph } = load(join(root, 'topologies/large.yaml'));
  expect(graph!.services).toHaveLength(1000);
  expect(effectiveRouters(graph!.enforcement.routers, 1000)).toBe(20);
});
