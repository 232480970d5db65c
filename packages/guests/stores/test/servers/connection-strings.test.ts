import { afterEach, describe, expect, it } from 'vitest';
import { namedServer, serverAddress, withoutPasswords } from '../../src/servers/connection-strings.ts';

describe('the removal of passwords from a text', () => {
  it.each([
    ['postgresql://ann:s3cret@db:5432/x', 'postgresql://ann@db:5432/x'],
    ['postgres://ann:s3@cret@db/x', 'postgres://ann@db/x'],
    ['postgres://ann:s3/cret@db/x', 'postgres://ann@db/x'],
    ['mysql://:s3cret@db', 'mysql://@db'],
    ['mongodb+srv://ann:s3cret@a.example,b.example/x?w=1', 'mongodb+srv://ann@a.example,b.example/x?w=1'],
    ['rediss://default:s3cret@db:6379/0', 'rediss://default@db:6379/0'],
    [
      'postgresql://db/x?user=ann&password=s3cret&sslmode=require',
      'postgresql://db/x?user=ann&password=&sslmode=require',
    ],
    ["url: 'mysql://ann:s3cret@db/x', rows: 5", "url: 'mysql://ann@db/x', rows: 5"],
    ['one mysql://a:s3cret@b and another redis://c:s3cret@d', 'one mysql://a@b and another redis://c@d'],
  ])('%s', (text, expected) => {
    expect(withoutPasswords(text)).toBe(expected);
  });

  it.each(['postgresql://ann@db/x', 'mysql://db:3306/', 'http://user:pass@host/', 'a:b@c', ''])(
    'does not change %j',
    (text) => {
      expect(withoutPasswords(text)).toBe(text);
    },
  );
});

describe('the user-supplied server', () => {
  afterEach(() => {
    delete process.env.TOPO_BENCH_POSTGRES_URL;
  });

  it('is that of a flag, then of the environment, then of the file', () => {
    process.env.TOPO_BENCH_POSTGRES_URL = 'postgresql://ann@variable/x';
    const named = { flag: 'postgresql://ann@flag/x', file: 'postgresql://ann@file/x' };
    expect(namedServer('postgresql', named)).toEqual({ url: named.flag, source: '--postgres-url' });
    const { file } = named;
    expect(namedServer('postgresql', { file })).toEqual({
      url: 'postgresql://ann@variable/x',
      source: 'TOPO_BENCH_POSTGRES_URL',
    });
    delete process.env.TOPO_BENCH_POSTGRES_URL;
    expect(namedServer('postgresql', { file })).toEqual({ url: file, source: 'the file' });
    expect(namedServer('postgresql')).toBeUndefined();
  });

  it.each(['mysql://ann:s3cret@db/x', 'ann:s3cret@db', 's3cret', 'postgresql://ann:s3cret tail@db/x'])(
    '%s is rejected without printing its password',
    (flag) => {
      expect(() => namedServer('postgresql', { flag })).toThrow(
        expect.objectContaining({ code: 'TB_STORE_URL', message: expect.not.stringMatching(/s3cret|tail/) }),
      );
    },
  );
});

describe('the address of a server', () => {
  it.each([
    ['postgresql://ann:secret@DB.example/items?sslmode=require', 'db.example:5432'],
    ['postgres://db:6000', 'db:6000'],
    ['mysql://root@[::1]/x', '[::1]:3306'],
    ['mongodb://a:p@x,y:27018/?replicaSet=r', 'x:27017,y:27018'],
    ['mongodb+srv://a:p@cluster.example/', 'cluster.example'],
    ['rediss://:p@cache/3', 'cache:6379'],
    ['postgresql://ann:x/y@z@db/', 'db:5432'],
    ['postgresql:///items?host=/run/postgresql', '/run/postgresql'],
    ['postgresql:///items', 'localhost:5432'],
  ])('%s is %s', (url, address) => {
    expect(serverAddress(url)).toBe(address);
  });
});
