/**
 * A service that governs its columns wrongly makes every repetition invalid, whichever way they travel. Real processes,
 * one mistake at a time.
 */
import { join } from 'node:path';
import { measuredBackend } from '@topo-bench/experiment';
import { resolveExperiment } from '@topo-bench/experiment/resolve-experiment';
import { runExperiment } from '@topo-bench/experiment/run-experiment';
import { launcherNamed } from '@topo-bench/loadgen';
import { localRunner } from '@topo-bench/runners';
import { studies } from '@topo-bench/studies';
import { describe, expect, it, vi } from 'vitest';
import { buildMutatedService, type Mutation } from './fixtures/mutated-service.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { root } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 180_000 });

const topology = `apiVersion: topo-bench/v1
kind: Topology
name: columns
services:
  - name: table
    arrow:
      flight: {}
      columns:
        - { name: number, type: int64 }
        - { name: region, type: text, values: [eu, us, uk] }
        - { name: email, type: text, size: 20B, category: personal }
        - { name: customer, type: int64, category: personal }
        - { name: amount, type: float64, nulls: 0.2 }
      facts: { origin: region }
rules: rules.yaml
enforcement: { architecture: sidecar }
`;
/**
 * Rows of the EU lose one column by each of two rules, one of which replaces another column, and low numbers of them go
 * as a whole.
 */
const rules = `apiVersion: topo-bench/v1
kind: Rules
name: rules
rules:
  - { id: no-email, effect: redact, redact: { remove: [/email] }, when: { fact: request, path: $.origin, operator: equal, value: eu } }
  - id: no-customer
    effect: redact
    redact: { remove: [/amount], pseudonymise: [/customer] }
    when: { fact: request, path: $.origin, operator: notEqual, value: us }
  - id: first
    effect: deny
    when: { all: [{ fact: request, path: $.origin, operator: equal, value: eu }, { fact: request, path: $.payload.number, operator: lessThan, value: 1000 }] }
  - { id: open, effect: allow, when: { fact: request, path: $.origin, operator: equal, value: us } }
`;
const experiment = `apiVersion: topo-bench/v1
kind: Experiment
name: columns
topology: topology.yaml
repetitions: 1
load: { driver: flight }
flight: { streams: 2, rows: 6500, batchRows: 1000 }
warmup: { max: 0s }
`;

const everyWay = [
  { protocol: 'flight', operation: 'get' },
  { protocol: 'flight', operation: 'put' },
  { protocol: 'flight', operation: 'exchange' },
  { protocol: 'arrow', operation: 'get' },
  { protocol: 'ndjson', operation: 'get' },
] as const;

const governance = 'packages/columns/src/governance';
const mutations: Record<string, Mutation> = {
  'redacts nothing': {
    file: `${governance}/governed-stream.ts`,
    from: 'editsOf(decided.decisions, decided.codes, kept)',
    to: '{ members: new Map() }',
  },
  'redacts everything': {
    file: `${governance}/redact-column.ts`,
    from: 'const { type } = governed.field;\n    if (governed.isText)',
    to: "const { type } = governed.field;\n    edit = { remove: 'all', members: new Map() };\n    if (governed.isText)",
  },
  'redacts every row as soon as it redacts one': {
    file: `${governance}/edits.ts`,
    from: 'codes && losing.length < kept.length',
    to: 'false',
  },
  'makes pseudonyms under another key': {
    file: 'packages/services/src/arrow/stream-rules.ts',
    from: 'pseudonym(value, pseudonymKey)',
    to: "pseudonym(value, 'another key')",
  },
  'lets one row too many pass': {
    file: `${governance}/governed-stream.ts`,
    from: 'membersOf(passing)',
    to: 'Int32Array.from([...membersOf(passing), ...membersOf(outside(passing, batch.numRows)).subarray(0, 1)]).sort()',
  },
  'keeps another row than the rules let pass': {
    file: `${governance}/governed-stream.ts`,
    from: 'membersOf(passing)',
    to: 'Int32Array.from([...membersOf(passing).subarray(1), ...membersOf(outside(passing, batch.numRows)).subarray(0, 1)]).sort()',
  },
  'loses the second redaction of two': {
    file: 'packages/rule-engine/src/decision.ts',
    from: 'redactions.map((rule) => rule.remove)',
    to: 'redactions.slice(0, 1).map((rule) => rule.remove)',
  },
  'takes the rules in the opposite order': {
    file: 'packages/rule-engine/src/decision.ts',
    from: 'a.index - b.index',
    to: 'b.index - a.index',
  },
  'leaks one row of one batch': {
    file: `${governance}/edits.ts`,
    from: 'masks.set(key, mask);',
    to: 'globalThis.masks = (globalThis.masks ?? 0) + 1;\nif (globalThis.masks === 7) mask[5] &= mask[5] - 1;\nmasks.set(key, mask);',
  },
};

interface Measured {
  way: string;
  wrong: number;
  reasons: string[];
  byRule: Record<string, number>;
}

async function run(mutation: Mutation | undefined): Promise<Measured[]> {
  const folder = temporaryFolder();
  const serviceEntry = await buildMutatedService(mutation, folder);
  const runner = localRunner({ serviceEntry });
  const measured: Measured[] = [];
  for (const { protocol, operation } of everyWay) {
    const resolved = resolveExperiment(
      {
        experiment: {
          file: 'e.yaml',
          text: experiment.replace('streams', `protocol: ${protocol}, operation: ${operation}, streams`),
        },
        topology: { file: 'topology.yaml', text: topology },
        rules: { file: 'rules.yaml', text: rules },
        choices: {},
      },
      studies,
    );
    const way = `${operation} over ${protocol}`;
    const { cells } = await runExperiment(resolved, {
      folder: join(folder, way.replaceAll(' ', '-')),
      resume: false,
      version: '0.0.0',
      command: [],
      backend: measuredBackend({
        runner,
        logsDir: join(folder, 'logs'),
        launcher: launcherNamed('processes', { workerPath: join(root, 'packages/cli/dist/load-worker.js') }),
      }),
      signal: new AbortController().signal,
    });
    expect(cells).toHaveLength(1);
    for (const { decisions, validity } of cells) {
      measured.push({ way, wrong: decisions.wrong, reasons: validity.reasons, byRule: decisions.byRule });
    }
  }
  return measured;
}

describe('a run over columns under rules', () => {
  it('is valid where the service governs as the oracle does, and counts decisions by rule', async () => {
    const measured = await run(undefined);
    for (const { way, wrong, reasons, byRule } of measured) {
      expect({ way, wrong, reasons }).toEqual({ way, wrong: 0, reasons: [] });
      const names = ['first', 'no-customer', 'no-email', 'open'];
      expect(Object.keys(byRule).toSorted()).toEqual(names);
      expect(names.reduce((sum, name) => sum + (byRule[name] as number), 0)).toBe(13_000);
    }
    expect(measured).toHaveLength(everyWay.length);
  });

  it.each(Object.keys(mutations))('is invalid where the service %s', async (name) => {
    const measured = await run(mutations[name]);
    for (const { way, wrong, reasons } of measured) {
      expect(wrong, way).toBeGreaterThan(0);
      expect(reasons.join('; '), way).toMatch(/wrong decisions?/);
    }
    expect(measured).toHaveLength(everyWay.length);
  });
});
