import { expect, it } from 'vitest';
import { onNetwork } from '../../src/docker/placement.ts';

const server = { id: 'c0ffee', name: 'topo-bench-postgresql-1', containerPort: 5432, host: '127.0.0.1', port: 40_001 };
const reach = { containers: {}, listen: '172.17.0.1', loopback: '172.17.0.1' };
const { storeUrl } = onNetwork([server], reach);

it('a server in a container has its own name and port for roles on its network', () => {
  expect(storeUrl('postgresql://u:p@127.0.0.1:40001/x')).toBe('postgresql://u:p@topo-bench-postgresql-1:5432/x');
});

it('another server on a loopback address is where containers reach this machine', () => {
  expect(storeUrl('postgresql://u:p@127.0.0.1:40002/x')).toBe('postgresql://u:p@172.17.0.1:40002/x');
  expect(storeUrl('mongodb://u:p@db:27017,localhost/x')).toBe('mongodb://u:p@db:27017,172.17.0.1/x');
});
