import { SeededTable } from '@topo-bench/columns';
import { graphOf, targetFacts } from '@topo-bench/topology';
import { expect, test } from 'vitest';
import { rightDecisions, wrongDecisions } from '../../src/transfer/right-decisions.ts';

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
  });
  const treatmentOf = (row: number) => right.treatments[right.codes[Math.floor(row / 100) % 4]?.[row % 100] as number];
  expect(treatmentOf(829)).toEqual({ passes: false, remove: [], pseudonymise: [] });
  expect(treatmentOf(830)).toEqual({ passes: true, remove: ['email'], pseudonymise: [] });
  expect(treatmentOf(250)).toEqual({ passes: true, remove: [], pseudonymise: [] });
});

test('decisions that were others are as many as must have been', () => {
  const effects = { allow: 10, deny: 5, redact: 0, reroute: 0 };
  const right = { effects, byRule: { a: 3, b: 2 } };
  expect(wrongDecisions(right, right)).toBe(0);
  expect(wrongDecisions({ ...right, effects: { ...effects, allow: 12, deny: 3 } }, right)).toBe(2);
  expect(wrongDecisions({ ...right, effects: { ...effects, deny: 4 } }, right)).toBe(1);
  expect(wrongDecisions({ ...right, byRule: { a: 2, b: 2, c: 1 } }, right)).toBe(1);
  expect(wrongDecisions({ ...right, byRule: {} }, right)).toBe(5);
});
