import { persistence } from '@topo-bench/core/schema/persistence';
import { expect, it } from 'vitest';
import { deployedStores } from '../src/deployed-stores.ts';

const keeps = (fields: object) => persistence.parse({ store: 'sql-indexed', ...fields });

it('gives services on the same image one server, and each a database of its own', () => {
  const services = [
    { name: 'a', persistence: keeps({}) },
    { name: 'b' },
    { name: 'c', persistence: keeps({}) },
    { name: 'd', persistence: keeps({ image: 'postgres:16' }) },
    { name: 'e', persistence: keeps({ store: 'key-value' }) },
  ];
  const { servers, stores } = deployedStores(services, (host) => `of-${host}`);
  expect(servers.map(({ host, image }) => [host, image])).toEqual([
    ['db.postgresql', 'postgres:17'],
    ['db.postgresql-2', 'postgres:16'],
    ['db.redis-3', 'redis:7'],
  ]);
  expect(stores.map(({ service, storeUrl }) => [service, storeUrl])).toEqual([
    ['a', 'postgresql://postgres:of-db.postgresql@db.postgresql:5432/topo_bench_a'],
    ['c', 'postgresql://postgres:of-db.postgresql@db.postgresql:5432/topo_bench_c'],
    ['d', 'postgresql://postgres:of-db.postgresql-2@db.postgresql-2:5432/topo_bench_d'],
    ['e', 'redis://:of-db.redis-3@db.redis-3:6379#topo_bench_e'],
  ]);
  expect(servers[0]?.access.file).toBe('of-db.postgresql');
});

it('puts a store with an address of its own on that server', () => {
  const services = [{ name: 'a', persistence: keeps({ url: 'postgresql://u:p@db.example:5433/x' }) }];
  const { servers, stores } = deployedStores(services, () => 'unused');
  expect(servers).toEqual([]);
  expect(stores[0]).toMatchObject({
    url: 'postgresql://u:p@db.example:5433/x',
    storeUrl: 'postgresql://u:p@db.example:5433/topo_bench_a',
  });
});
