import { expect, it } from 'vitest';
import { mixedServers } from '../src/mixed-servers.ts';
import type { StoreEntry } from '../src/parts.ts';

it('servers are reported once each if repetitions of one store come from several servers or versions', () => {
  const cell = (configuration: string, version: string, address?: string) =>
    ({ persistence: { configuration, server: { name: 'PostgreSQL', version, address } } }) as unknown as StoreEntry;
  const before = [cell('sql-indexed', '16.2'), cell('document', '7')];
  expect(mixedServers(before, cell('sql-indexed', '16.2'))).toBeUndefined();
  expect(mixedServers(before, cell('hybrid-indexed', '17.0', 'db:5432'))).toBeUndefined();
  expect(mixedServers(before, {} as StoreEntry)).toBeUndefined();
  const other = cell('sql-indexed', '17.0', 'db:5432');
  expect(mixedServers(before, other)).toBe(
    'figures of sql-indexed are from different servers: PostgreSQL 16.2 of topo-bench, PostgreSQL 17.0 at db:5432',
  );
  expect(mixedServers([...before, other], other)).toBeUndefined();
});
