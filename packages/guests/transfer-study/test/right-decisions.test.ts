import { SeededTable } from '@topo-bench/columns';
import { graphOf, targetFacts } from '@topo-bench/topology';
import { expect, test } from 'vitest';
import { rightDecisions, wrongDecisions } from '../src/right-decisions.ts';

const graph = graphOf(
  {
    apiVersion: 'topo-bench/v1',
    kind: 'Topology',
    name: 't',
    services: [
      {
        name: 'table',
        arrow: {
          rows: 1050,
          batchRows: 100,
          columns: [
            { name: 'number', type: 'int64' },
            { name: 'region', type: 'text', values: ['eu'] },
            { name: 'email', type: 'text', category: 'personal' },
          ],
          facts: { origin: 'region' },
        },
      },
    ],
    rules: 'r.yaml',
    enforcement: { architecture: 'sidecar' },
  },
  {
    apiVersion: 'topo-bench/v1',
    kind: 'Rules',
    name: 'r',
    rules: [
      {
        id: 'few',
        effect: 'deny',
        when: { fact: 'request', path: '$.payload.number', operator: 'lessThan', value: 30 },
      },
      {
        id: 'personal',
        effect: 'redact',
        redact: { remove: ['/email'] },
        when: {
          all: [
            { fact: 'request', path: '$.categories', operator: 'contains', value: 'personal' },
            { fact: 'request', path: '$.origin', operator: 'equal', value: 'eu' },
            { fact: 'request', path: '$.payload.number', operator: 'lessThan', value: 250 },
          ],
        },
      },
    ],
  },
);
const [service] = graph.services;

test('every row of the table is decided by its own columns, repeated batches and the part of one at the end too', async () => {
  const arrow = service?.arrow as NonNullable<NonNullable<typeof service>['arrow']>;
  const right = await rightDecisions(new SeededTable(arrow, 'table', 1), arrow, graph.rules, targetFacts(graph, 0));
  // Ten whole batches, of which every fourth begins at 0, and half of the third kind: numbers 200 … 249.
  const numbers = Array.from({ length: 1050 }, (_, row) => row % 400);
  const deny = numbers.filter((number) => number < 30).length;
  const redact = numbers.filter((number) => number >= 30 && number < 250).length;
  expect(right.counts).toEqual({
    effects: { allow: 1050 - deny - redact, deny, redact, reroute: 0 },
    byRule: { few: deny, personal: redact },
    // Every e-mail address has 16 bytes, and every refused or redacted row withholds its own.
    exposureBytes: { personal: 16 * (deny + redact) },
  });
  const treatmentOf = (row: number) => right.treatments[right.codes[Math.floor(row / 100) % 4]?.[row % 100] as number];
  expect(treatmentOf(829)).toEqual({ passes: false, remove: [], pseudonymise: [] });
  expect(treatmentOf(830)).toEqual({ passes: true, remove: ['email'], pseudonymise: [] });
  expect(treatmentOf(250)).toEqual({ passes: true, remove: [], pseudonymise: [] });
});

test('decisions that were others are as many as must have been, and each category of exposure counts', () => {
  const effects = { allow: 10, deny: 5, redact: 0, reroute: 0 };
  const right = { effects, byRule: { a: 3, b: 2 }, exposureBytes: { personal: 10 } };
  const wrongOf = (changes: Partial<typeof right>) => wrongDecisions({ ...right, ...changes }, right);
  expect(wrongOf({})).toEqual({ wrong: 0, examples: [] });
  expect(wrongOf({ effects: { ...effects, allow: 12, deny: 3 } }).wrong).toBe(2);
  expect(wrongOf({ effects: { ...effects, deny: 4 } }).wrong).toBe(1);
  expect(wrongDecisions({ ...right, byRule: { a: 2, b: 2, c: 1 } }, right).wrong).toBe(1);
  expect(wrongDecisions({ ...right, byRule: {} }, right).wrong).toBe(5);
  expect(wrongDecisions({ ...right, exposureBytes: { health: 1 } }, right)).toEqual({
    wrong: 2,
    examples: ['1 B of "health" data were exposed, expected 0 B', '0 B of "personal" data were exposed, expected 10 B'],
  });
});

test('values of every type count with their bytes in the column, nulls not at all', async () => {
  const categorised = (name: string, type: string, others = {}) => ({ name, type, category: name, ...others });
  const shares = graphOf(
    {
      apiVersion: 'topo-bench/v1',
      kind: 'Topology',
      name: 't',
      services: [
        {
          name: 'table',
          arrow: {
            rows: 5,
            batchRows: 2,
            columns: [
              ...(['int64', 'int32', 'float64', 'bool', 'timestamp'] as const).map((type) => categorised(type, type)),
              categorised('text', 'text', { size: '3B' }),
              categorised('texts', 'texts', { values: ['ü'] }),
              categorised('nothing', 'int64', { nulls: 1 }),
            ] as never,
          },
        },
      ],
      rules: 'r.yaml',
      enforcement: { architecture: 'sidecar' },
    },
    {
      apiVersion: 'topo-bench/v1',
      kind: 'Rules',
      name: 'r',
      rules: [
        {
          id: 'all',
          effect: 'deny',
          when: { fact: 'request', path: '$.class', operator: 'equal', value: 'row' },
        },
      ],
    },
  );
  const arrow = shares.services[0]?.arrow as NonNullable<NonNullable<typeof service>['arrow']>;
  const table = new SeededTable(arrow, 'table', 1);
  const { counts } = await rightDecisions(table, arrow, shares.rules, targetFacts(shares, 0));
  // A list counts as its JSON: [] or ["ü"], whose letter has two bytes.
  const lists = [0, 1, 2].flatMap((number) => {
    const column = table.batchAt(number).getChild('texts');
    return Array.from(column ?? [], (list) => (list?.length ? 6 : 2));
  });
  expect(counts.exposureBytes).toEqual({
    int64: 40,
    int32: 20,
    float64: 40,
    bool: 5,
    timestamp: 40,
    text: 15,
    texts: lists.reduce((sum, bytes) => sum + bytes, 0),
  });
  expect(lists).toHaveLength(5);
});
