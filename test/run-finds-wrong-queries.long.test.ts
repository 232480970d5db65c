/**
 * A service that answers queries over Flight SQL against its rules makes the repetition of a store study invalid. Real
 * processes and PostgreSQL, one mistake at a time.
 */
import { describe, expect, it, vi } from 'vitest';
import type { SourceChange } from './fixtures/changed-service.ts';
import { onlyHostReasons } from './fixtures/measured-run.ts';
import { redacting, rulesOf, storeRuns } from './fixtures/store-runs.ts';

vi.setConfig({ testTimeout: 120_000 });

const byRow = rulesOf(
  '  - { id: not-abroad, effect: deny, when: { fact: request, path: $.origin, operator: equal, value: us } }\n',
);
const abroad = rulesOf(`  - id: customers-stay
    effect: redact
    redact: { remove: [/customer] }
    when: { fact: target, path: $.region, operator: equal, value: us }
`);
const runStore = storeRuns(
  'persistence: { store: sql-indexed, rows: 300, region: us }, arrow: { flight: { sql: {} } }',
);
const run = (change: SourceChange | undefined, rules: string, { store = 'sql-indexed' } = {}) =>
  runStore(change, rules, `{ services.orders.persistence.store: [${store}], persistence.workload: [write-heavy] }`);

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
