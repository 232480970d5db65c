import { describe, expect, it } from 'vitest';
import { addressOf, hasLoopback, hostPart, isLoopback, seenByRoles, withAddresses } from '../src/server-reach.ts';

const reach = { listen: '172.17.0.1', loopback: '172.17.0.1' };

describe('a connection string for roles in containers', () => {
  it.each([
    [
      'postgresql://ann:s@localhost:5432/items?sslmode=disable',
      'postgresql://ann:s@172.17.0.1:5432/items?sslmode=disable',
    ],
    ['redis://:p%40ss@127.0.0.1:6379', 'redis://:p%40ss@172.17.0.1:6379'],
    ['mysql://root@[::1]:3306/', 'mysql://root@172.17.0.1:3306/'],
    ['postgres://LocalHost', 'postgres://172.17.0.1'],
    [
      'mongodb://a:p@localhost,127.0.0.2:27018,db:27017/?authSource=admin',
      'mongodb://a:p@172.17.0.1,172.17.0.1:27018,db:27017/?authSource=admin',
    ],
  ])('%s is %s', (url, expected) => {
    expect(seenByRoles(url, reach)).toBe(expected);
  });

  it.each([
    'postgresql://localhost:secret@db:5432/localhost',
    'mongodb+srv://a:p@cluster.example/',
    'postgresql:///items',
  ])('%s stays', (url) => {
    expect(seenByRoles(url, reach)).toBe(url);
  });

  it('can have another port', () => {
    const change = (address: string): string => (address === '127.0.0.1:40001' ? 'store:5432' : address);
    expect(withAddresses('postgresql://u:p@127.0.0.1:40001/x', change)).toBe('postgresql://u:p@store:5432/x');
  });
});

it('a connection string has a loopback host or not', () => {
  expect(hasLoopback('mongodb://a:p@db,127.0.0.1:27018/')).toBe(true);
  expect(hasLoopback('postgresql://localhost:s@db/localhost')).toBe(false);
});

it.each([
  ['172.17.0.1', '172.17.0.1'],
  ['fd00::5', '[fd00::5]'],
])('the address %s is %s in a URL', (address, host) => {
  expect(hostPart(address)).toBe(host);
  expect(addressOf(host)).toBe(address);
  const url = seenByRoles('http://localhost:8080/', { loopback: host });
  expect(new URL(url).host).toBe(`${host}:8080`);
});

describe('a loopback host', () => {
  it.each(['localhost', '127.0.0.1', '127.1.2.3', '::1', '[::1]'])('%s', (host) => expect(isLoopback(host)).toBe(true));
  it.each(['localhost.example', '10.127.0.0', '172.17.0.1', 'db', ''])('not "%s"', (host) =>
    expect(isLoopback(host)).toBe(false),
  );
});
