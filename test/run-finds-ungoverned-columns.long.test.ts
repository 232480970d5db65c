/**
 * A service that governs its columns wrongly makes every repetition invalid, whichever way they travel. Real processes,
 * one mistake at a time.
 */
import { join } from 'node:path';
import { localRunner } from '@topo-bench/runners';
import { describe, expect, it, vi } from 'vitest';
import { changedService, type SourceChange } from './fixtures/changed-service.ts';
import { runFiles } from './fixtures/run-files.ts';
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
deploy: round
flight: { streams: 2, rows: 6500, batchRows: 1000 }
warmup: { max: 0s }
`;

/** Ways that one deployment serves, in one run. */
interface Ways {
  protocols: readonly string[];
  operations: readonly string[];
}

/** The verbs of Flight, and tables over HTTP in two formats. */
const everyWay: readonly Ways[] = [
  { protocols: ['flight'], operations: ['get', 'put', 'exchange'] },
  { protocols: ['arrow', 'ndjson'], operations: ['get'] },
];
const namesOf = ({ protocols, operations }: Ways): string[] =>
  protocols.flatMap((protocol) => operations.map((operation) => `${operation} over ${protocol}`));
const waysInAll = everyWay.flatMap(namesOf).length;

const governance = 'guests/columns/src/governance';
const mutations: Record<string, SourceChange> = {
  'redacts nothing': {
    file: `${governance}/governed-stream.ts`,
    from: 'memberEdit(edit, name)',
    to: '(edit === removal ? removal : undefined)',
  },
  'redacts everything': {
    file: `${governance}/redact-column.ts`,
    from: 'const { field, isText, children } = governed;',
    to: 'const { field, isText, children } = governed;\n    edits = edits.map(() => ({ isRemoved: true, isPseudonymised: false, members: new Map() }));',
  },
  'redacts every row as soon as it redacts one': {
    file: `${governance}/governed-stream.ts`,
    from: 'memberEdit(edit, name)',
    to: 'memberEdit(edit, name) ?? memberEdit(edits.find((one) => one !== removal && memberEdit(one, name)), name)',
  },
  'makes pseudonyms under another key': {
    file: 'services/src/arrow/stream-rules.ts',
    from: 'pseudonym(value, pseudonymKey)',
    to: "pseudonym(value, 'another key')",
  },
  'lets one row too many pass': {
    file: `${governance}/governed-stream.ts`,
    from: 'const rows = ',
    to: 'const extra = edits.indexOf(removal);\n    if (extra >= 0) edits[extra] = { ...removal, isRemoved: false };\n    const rows = ',
  },
  'keeps another row than the rules let pass': {
    file: `${governance}/governed-stream.ts`,
    from: 'const rows = ',
    to: 'const [one, other] = [edits.indexOf(removal), edits.findIndex((edit) => edit !== removal)];\n    if (one >= 0 && other >= 0) [edits[one], edits[other]] = [edits[other], edits[one]];\n    const rows = ',
  },
  'loses the second redaction of two': {
    file: 'rule-engine/src/decision.ts',
    from: 'redactions.map((rule) => rule.remove)',
    to: 'redactions.slice(0, 1).map((rule) => rule.remove)',
  },
  'takes the rules in the opposite order': {
    file: 'rule-engine/src/decision.ts',
    from: 'a.index - b.index',
    to: 'b.index - a.index',
  },
  'leaks one row of one batch': {
    file: `${governance}/governed-stream.ts`,
    from: 'const isTouched = ',
    to: 'globalThis.columns = (globalThis.columns ?? 0) + 1;\n      const at = columnEdits.findIndex((edit) => edit !== undefined && edit !== removal);\n      if (at >= 0 && globalThis.columns % 7 === 0) columnEdits[at] = undefined;\n      const isTouched = ',
  },
};

/** The values are right, and the count of the withheld ones is not. */
const miscounts: Record<string, SourceChange> = {
  'counts no exposure': {
    file: `${governance}/governed-stream.ts`,
    from: 'exposedBytes(data, edits)',
    to: '0 * exposedBytes(data, edits)',
  },
  'counts no exposure of the rows that it refuses': {
    file: `${governance}/governed-stream.ts`,
    from: 'exposedBytes(data, edits)',
    to: 'exposedBytes(data, edits.map((edit) => (edit === removal ? undefined : edit)))',
  },
  'counts exposure of rows that keep the value': {
    file: `${governance}/governed-stream.ts`,
    from: 'exposedBytes(data, edits)',
    to: 'exposedBytes(data, edits.map((edit) => edit ?? removal))',
  },
};

interface Measured {
  way: string;
  wrong: number;
  reasons: string[];
  byRule: Record<string, number>;
}

async function run(change?: SourceChange, ways: readonly Ways[] = everyWay): Promise<Measured[]> {
  const folder = temporaryFolder();
  const serviceEntry = await changedService(folder, change ? [change] : []);
  const runner = localRunner({ serviceEntry });
  const measured: Measured[] = [];
  for (const some of ways) {
    const { protocols, operations } = some;
    const factors = `factors: { operation: [${operations.join(', ')}], protocol: [${protocols.join(', ')}] }\n`;
    // A mistake shows however busy the machine is.
    const validity = change ? 'validity: { remeasure: 0% }\n' : '';
    const { cells } = await runFiles(
      { experiment: experiment + factors + validity, topology, rules },
      { out: join(folder, protocols.join('-')), runner, workerPath: join(root, 'packages/cli/dist/load-worker.js') },
    );
    const found = cells.map(({ factors, decisions, validity }) => ({
      way: `${factors.operation} over ${factors.protocol}`,
      wrong: decisions.wrong,
      reasons: validity.reasons,
      byRule: decisions.byRule,
    }));
    expect(found.map(({ way }) => way).toSorted()).toEqual(namesOf(some).toSorted());
    measured.push(...found);
  }
  return measured;
}

describe('a run over columns under rules', () => {
  it('is valid where the service governs as the oracle does, and counts decisions by rule', async () => {
    const measured = await run();
    for (const { way, wrong, reasons, byRule } of measured) {
      expect({ way, wrong, reasons }).toEqual({ way, wrong: 0, reasons: [] });
      const names = ['first', 'no-customer', 'no-email', 'open'];
      expect(Object.keys(byRule).toSorted()).toEqual(names);
      expect(names.reduce((sum, name) => sum + (byRule[name] as number), 0)).toBe(13_000);
    }
    expect(measured).toHaveLength(waysInAll);
  });

  it.each(Object.keys(mutations))('is invalid where the service %s', async (name) => {
    const measured = await run(mutations[name]);
    for (const { way, wrong, reasons } of measured) {
      expect(wrong, way).toBeGreaterThan(0);
      expect(reasons.join('; '), way).toMatch(/wrong decisions?/);
    }
    expect(measured).toHaveLength(waysInAll);
  });

  it.each(Object.keys(miscounts))('is invalid where the service %s', async (name) => {
    const ways = ['flight', 'ndjson'].map((protocol) => ({ protocols: [protocol], operations: ['get'] }));
    const measured = await run(miscounts[name], ways);
    for (const { way, wrong, reasons } of measured) {
      expect(wrong, way).toBe(1);
      expect(reasons.join('; '), way).toMatch(/\d B of "personal" data were exposed, expected \d+ B/);
    }
    expect(measured).toHaveLength(2);
  });
});
