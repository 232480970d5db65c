/**
 * A service that answers queries over Flight SQL against its rules makes the repetition of a store study invalid. Real
 * processes and PostgreSQL, one mistake at a time.
 */
import { join } from 'node:path';
import { localRunner } from '@topo-bench/runners';
import { describe, expect, it, vi } from 'vitest';
import { changedService, type SourceChange } from './fixtures/changed-service.ts';
import { onlyHostReasons } from './fixtures/measured-run.ts';
import { usePostgres } from './fixtures/postgres-server.ts';
import { runFiles } from './fixtures/run-files.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { root } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 120_000 });

const topology = `apiVersion: topo-bench/v1
kind: Topology
name: queries
services:
  - name: orders
    persistence: { store: sql-indexed, rows: 300, region: us }
    arrow: { flight: { sql: {} } }
rules: rules.yaml
enforcement: { architecture: sidecar }
`;
const rulesOf = (rules: string): string => `apiVersion: topo-bench/v1
kind: Rules
name: rules
rules:
${rules}`;
const ofPersonalData = 'when: { fact: request, path: $.categories, operator: contains, value: personal }';
const redacting = rulesOf(`  - { id: no-address, effect: redact, redact: { remove: [/address] }, ${ofPersonalData} }
  - { id: no-note, effect: redact, redact: { remove: [/note], pseudonymise: [/customer] }, ${ofPersonalData} }
`);
const byRow = rulesOf(
  '  - { id: not-abroad, effect: deny, when: { fact: request, path: $.origin, operator: equal, value: us } }\n',
);
const abroad = rulesOf(`  - id: customers-stay
    effect: redact
    redact: { remove: [/customer] }
    when: { fact: target, path: $.region, operator: equal, value: us }
`);
const experiment = (store: string): string => `apiVersion: topo-bench/v1
kind: Experiment
name: queries
topology: topology.yaml
factors:
  services.orders.persistence.store: [${store}]
  persistence.workload: [write-heavy]
repetitions: 1
load: { driver: autocannon, connections: 2 }
duration: 500ms
drain: 20s
warmup: { max: 0s }
validity: { maxErrorShare: 50%, remeasure: 0% }
`;

const folder = temporaryFolder();
let runs = 0;
const serverUrl = usePostgres();

async function run(change: SourceChange | undefined, rules: string, { store = 'sql-indexed' } = {}) {
  const out = join(folder, `run-${runs++}`);
  const runner = localRunner({ serviceEntry: await changedService(folder, change ? [change] : []) });
  const workerPath = join(root, 'packages/cli/dist/load-worker.js');
  const serverUrls = { postgresql: serverUrl() };
  const { cells } = await runFiles(
    { experiment: experiment(store), topology, rules },
    { out, runner, workerPath, serverUrls },
  );
  const [{ decisions, validity, outcomes }] = cells as [(typeof cells)[number]];
  expect(outcomes.completed + outcomes.refused).toBeGreaterThan(0);
  return { wrong: decisions.wrong, reasons: validity.reasons, cells };
}

describe('a run over a service with Flight SQL', () => {
  it.each([
    ['rules withhold columns', 'sql-indexed', redacting],
    ['rules withhold fields of documents', 'hybrid-indexed', redacting],
    ['rules decide row by row and refuse every query', 'sql-indexed', byRow],
    ['rules are about the region of the store', 'sql-indexed', abroad],
  ])('has no wrong decision where %s', async (_, store, rules) => {
    const { wrong, cells } = await run(undefined, rules, { store });
    expect(wrong).toBe(0);
    onlyHostReasons(cells);
  });
});

const access = 'services/src/arrow/sql-access.ts';
const mistakes: [what: string, change: SourceChange, wrong: number, reason: RegExp, rules?: string][] = [
  [
    'grants every column',
    { file: access, from: 'isTouched(column, decision))', to: 'isTouched(column, decision) && false)' },
    7,
    /a query got 100 values of customer, which rules withhold/,
  ],
  [
    'grants columns that are to be pseudonymised',
    { file: access, from: '[...remove, ...pseudonymise].some(', to: '[...remove].some(' },
    1,
    /a query got 100 values of customer, which rules withhold/,
  ],
  [
    'withholds a column that rules leave',
    { file: access, from: 'first === undefined || first === name', to: "name === 'status' || first === name" },
    1,
    /a query of status failed: permission denied/,
  ],
  [
    'answers where rules decide row by row',
    { file: access, from: "if (asks.origin) return 'their origin';", to: '' },
    14,
    /a query got 100 values of customer, which rules withhold/,
    byRow,
  ],
  [
    'decides by the region of the service',
    { file: 'services/src/arrow/service-sql.ts', from: 'region: store.region', to: "region: 'eu'" },
    2,
    /a query got 100 values of customer, which rules withhold/,
    abroad,
  ],
  [
    'sends other values',
    {
      file: 'guests/columns/src/sql/row-batches.ts',
      from: 'rows.push(row);',
      to: "rows.push(row.map((value) => (value === 'delivered' ? 'lost' : value)));",
    },
    1,
    /a query got another status of o-\d+: "lost"/,
  ],
  [
    'counts no decisions',
    { file: 'services/src/arrow/service-sql.ts', from: 'if (effect) {', to: 'if (effect && !rule) {' },
    1,
    /queries were counted as \{"effects":\{"allow":0,"deny":0,"redact":0,/,
  ],
];

describe('a run over a service with Flight SQL that', () => {
  it.each(mistakes)('%s is invalid', async (_, change, wrong, reason, rules = redacting) => {
    const found = await run(change, rules);
    expect(found.reasons.join('\n')).toMatch(reason);
    expect(found.wrong).toBe(wrong);
  });
});
