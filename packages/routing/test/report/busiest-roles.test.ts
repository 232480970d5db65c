import type { Cell, RoleRecord } from '@topo-bench/core/schema/result';
import { expect, it } from 'vitest';
import { busiestRoles } from '../../src/report/busiest-roles.ts';

const record = (userUs: number, others: Partial<RoleRecord> = {}): RoleRecord => ({
  cpu: { userUs, systemUs: userUs / 2 },
  wait: { mainThreadUs: 30, otherThreadsUs: 1 },
  served: 10,
  messages: { received: 20, sent: 10 },
  bytes: { received: 4096, sent: 2048 },
  connections: { opened: 3, open: 2 },
  ...others,
});

const level = (...processes: Cell['processes'][]) => {
  const valid = processes.map((each) => ({ ...(each && { processes: each }) }) as Cell);
  return { label: 'router', cells: [0], valid, invalid: [] };
};

/** The texts of each row of the table. */
function rows(markup: ReturnType<typeof busiestRoles>): string[][] {
  const body = (markup?.text ?? '').split('<tbody>')[1] ?? '';
  return [...body.matchAll(/<tr.*?<\/tr>/g)].map(([row]) =>
    [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, text = '']) => text.replace(/<[^>]*>/g, '')),
  );
}

it('shows the busiest role of each kind per request, over all repetitions', () => {
  const first = { router: { roles: { 'router-1': record(100), 'router-2': record(500) } } };
  const second = { router: { roles: { 'router-1': record(100), 'router-2': record(300) } }, gateway: { roles: {} } };
  expect(rows(busiestRoles('architecture', [level(first, second)]))).toEqual([
    ['router', 'router', 'router-2', '80%', '40', '20', '3', '3', '614 B', '2', '3'],
  ]);
});

it('shows a dash for figures that a role lacks, and nothing of older results', () => {
  const silent = { service: { roles: { a: { served: 5, cpu: { userUs: 10, systemUs: 0 } } } } };
  expect(rows(busiestRoles('', [level(silent)]))).toEqual([
    ['router', 'service', 'a', '100%', '2', '0', '–', '–', '–', '–', '–'],
  ]);
  const older = { service: { servedBefore: { min: 1, max: 2 } } };
  expect(busiestRoles('', [level(older, undefined)])).toBeUndefined();
});
