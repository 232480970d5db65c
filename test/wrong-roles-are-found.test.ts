/**
 * Whole runs whose roles make one mistake: built from changed sources, started by the runner, loaded, checked. Each
 * mistake must make the repetition invalid with decisions counted as wrong; roles that make none must have none.
 */
import { join } from 'node:path';
import type { Cell } from '@topo-bench/core/schema/result';
import { createRunner } from '@topo-bench/runners';
import { describe, expect, it, vi } from 'vitest';
import { builtWorker } from '../loadgen/test/fixtures/built-worker.ts';
import { changedService, type SourceChange } from './fixtures/changed-service.ts';
import { onlyHostReasons } from './fixtures/measured-run.ts';
import { runFiles } from './fixtures/run-files.ts';
import { temporaryFolder } from './fixtures/small-files.ts';

vi.setConfig({ testTimeout: 180_000 });

const topology = `apiVersion: topo-bench/v1
kind: Topology
name: small
nodes: [{ name: eu-1, region: eu }, { name: us-1, region: us }]
services:
  - { name: orders, node: eu-1 }
  - { name: scoring, node: us-1 }
  - { name: archive, node: us-1 }
  - { name: billing, node: us-1 }
  - { name: vault, node: eu-1, role: alternative }
flow: [orders, [scoring, archive], billing]
requests:
  classes:
    - name: order
      origin: eu
      payload:
        customer: { category: personal, size: 16B }
        card: { category: payment, size: 16B }
        note: { category: none, size: 16B }
rules: rules.yaml
`;
const at = (service: string) => `when: { fact: target, path: $.service, operator: equal, value: ${service} }`;
const rules = `apiVersion: topo-bench/v1
kind: Rules
name: small
rules:
  - { id: no-card, effect: redact, redact: { remove: [/card] }, ${at('scoring')} }
  - { id: no-name, effect: redact, redact: { pseudonymise: [/customer] }, ${at('scoring')} }
  - { id: away, effect: reroute, to: vault, ${at('archive')} }
  - { id: no-note, effect: redact, redact: { remove: [/note] }, ${at('archive')} }
  - { id: no-card-either, effect: redact, redact: { pseudonymise: [/card] }, ${at('vault')} }
`;
const experiment = `apiVersion: topo-bench/v1
kind: Experiment
name: small
topology: topology.yaml
repetitions: 1
load: { rate: 50, processes: 1, keepAwake: false }
duration: 300ms
drain: 10s
warmup: { max: 0s }
validity: { remeasure: 0% }
`;

const folder = temporaryFolder();
const worker = builtWorker();
let runs = 0;

/** The cells of one run under roles built from changed sources. */
async function run(architectures: readonly string[], changes: readonly SourceChange[]): Promise<readonly Cell[]> {
  const out = join(folder, `run-${runs++}`);
  const runner = await createRunner('local', { serviceEntry: await changedService(folder, changes) });
  const { cells } = await runFiles(
    { experiment: `${experiment}factors: { architecture: [${architectures.join(', ')}] }\n`, topology, rules },
    { out, runner, workerPath: worker.path },
  );
  return cells;
}

/** Reasons of a repetition that speak of wrong decisions. */
const wrongReasons = ({ validity }: Cell) => validity.reasons.filter((reason) => /wrong/.test(reason));

describe('a run of roles that do what they should', () => {
  it('has no wrong decision', async () => {
    const architectures = process.env.LONG_SERIES
      ? ['none', 'central-entity', 'dynamic-router-2', 'sidecar']
      : ['dynamic-router-2', 'sidecar'];
    const cells = await run(architectures, []);
    expect(cells.map(({ factors }) => factors.architecture).toSorted()).toEqual(architectures.toSorted());
    onlyHostReasons(cells);
    for (const cell of cells) {
      expect(cell.decisions.wrong).toBe(0);
      expect(cell.outcomes).toMatchObject({ refused: 0, error: 0, unfinished: 0 });
      expect(cell.outcomes.completed).toBeGreaterThan(3);
    }
  });
});

const decision = 'rule-engine/src/decision.ts';
const redaction = 'flow/src/redact-payload.ts';
const flowRun = 'flow/src/flow-run.ts';
const flow = 'flow/src/flow.ts';

/**
 * What the roles do wrong, under which architecture, how it is brought about, and what the repetition reports of it.
 */
const mistakes: [what: string, architecture: string, change: SourceChange, reason: RegExp][] = [
  [
    'lose the second of two redactions',
    'sidecar',
    {
      file: decision,
      from: "matching.filter((rule) => rule.effect === 'redact');",
      to: "matching.filter((rule) => rule.effect === 'redact').slice(0, 1);",
    },
    /scoring received the original "customer" \(expected it redacted\)/,
  ],
  [
    'take what all redactions name in place of what any does',
    'central-entity',
    {
      file: decision,
      from: 'return [...new Set(lists.flat())];',
      to: 'return lists.reduce((all, list) => all.filter((one) => list.includes(one)), lists[0] ?? []);',
    },
    /scoring received the original "customer" \(expected it redacted\), the original "card" \(expected none\)/,
  ],
  [
    'redact nothing',
    'dynamic-router-2',
    {
      file: redaction,
      from: 'return redact(payload, root, pseudonym) as Record<string, unknown>;',
      to: 'return payload;',
    },
    /scoring received the original "customer" \(expected it redacted\), the original "card" \(expected none\)/,
  ],
  [
    'redact everything',
    'sidecar',
    { file: redaction, from: 'return redact(payload, root, pseudonym) as Record<string, unknown>;', to: 'return {};' },
    /scoring received no "customer" \(expected it redacted\), no "note" \(expected the original\)/,
  ],
  [
    'make pseudonyms under another key',
    'central-entity',
    {
      file: 'services/src/executor/role-performer.ts',
      from: 'keyedHashing(config.secrets)',
      to: "keyedHashing({ ...config.secrets, pseudonymKey: 'another' })",
    },
    /scoring received another "customer" \(expected it redacted\)/,
  ],
  [
    'follow the rules in reversed order',
    'dynamic-router-2',
    {
      file: decision,
      from: 'b.priority - a.priority || a.index - b.index',
      to: 'b.priority - a.priority || b.index - a.index',
    },
    /scoring: redact by no-name, expected scoring: redact by no-card/,
  ],
  [
    'give the alternative of a reroute the payload of the original',
    'sidecar',
    { file: flowRun, from: 'if (withheld.length > 0) {', to: 'if (withheld.length > 0 && !state.detour) {' },
    /vault received the original "card" \(expected it redacted\), the original "note" \(expected none\)/,
  ],
  [
    'forget at the alternative what was withheld from the original target',
    'central-entity',
    { file: flowRun, from: 'if (!detour) return own;', to: 'if (own) return own;' },
    /vault received the original "note" \(expected none\)/,
  ],
  [
    'redact a copy and send the original',
    'dynamic-router-2',
    {
      file: flow,
      from: 'redacted ? JSON.stringify(redacted) : this.requestText',
      to: 'this.requestText',
    },
    /scoring received the original "customer" \(expected it redacted\)/,
  ],
  [
    'wipe the payload on its way where nothing is enforced',
    'none',
    {
      file: flow,
      from: 'JSON.stringify(this.request);',
      to: 'JSON.stringify({ ...this.request, payload: {} });',
    },
    /orders received no "customer" \(expected the original\)/,
  ],
  [
    'count no exposure',
    'sidecar',
    { file: flowRun, from: 'if (!state.reached.includes(node)) return;', to: 'if (node >= 0) return;' },
    /0 B of "payment" data were exposed, expected 32 B/,
  ],
];

/** `npm test` makes a mistake that rules are for, and one where nothing is enforced; the long tests make all. */
const made = mistakes.filter((_, at) => process.env.LONG_SERIES || at === 0 || at === 9);

describe('a run of roles that', () => {
  it.each(made)('%s is invalid, with wrong decisions (%s)', async (_, architecture, change, reason) => {
    const [cell] = (await run([architecture], [change])) as [Cell];
    expect(cell.outcomes.completed).toBeGreaterThan(3);
    expect(cell.decisions.wrong).toBeGreaterThanOrEqual(cell.outcomes.completed);
    expect(cell.validity.valid).toBe(false);
    expect(wrongReasons(cell).join('\n')).toMatch(reason);
  });
});
