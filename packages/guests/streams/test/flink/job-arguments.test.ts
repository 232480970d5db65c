/** What a job on Flink is given: its arguments have no secret, and its connection is that of the other engine. */
import type { StoreEngine } from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import { flinkDatabase } from '../../src/flink/databases/databases.ts';
import { argumentsOf } from '../../src/flink/job-arguments.ts';

const job = {
  points: 1000,
  ratePerSecond: undefined,
  cellLength: 7,
  windows: { lengthMs: 1000, outOfOrderMs: 2000 },
  guarantee: 'exactly-once',
  partitions: 2,
  rowsPerWrite: 100,
  checkpointEveryMs: 200,
} as const;
const engineNames = ['postgresql', 'redis', 'mongodb'] as const;
const engineOf = (url: string): StoreEngine => engineNames.find((name) => url.startsWith(name)) ?? 'mysql';
const loginOf = (url: string) => flinkDatabase(engineOf(url)).loginOf(url);
const argumentsFor = (heatMapUrl: string): Map<string, string> => {
  const given = argumentsOf({ ...job, database: engineOf(heatMapUrl), heatMapUrl });
  return new Map(given.flatMap((name, at) => (at % 2 === 0 ? [[name, given[at + 1] as string]] : [])));
};
const addressOf = (url: string): URL => new URL((argumentsFor(url).get('--url') as string).replace('jdbc:', ''));
const base = 'postgresql://ann:s%40cret@db.example:5433/trips';

describe('the arguments of a job', () => {
  it('are its settings', () => {
    expect(Object.fromEntries(argumentsFor(base))).toMatchObject({
      '--points': '1000',
      '--rate': '0',
      '--window-ms': '1000',
      '--out-of-order-ms': '2000',
      '--guarantee': 'exactly-once',
      '--partitions': '2',
      '--restarts': '0',
    });
  });

  it('have the address of the database without the login, wherever that stands', () => {
    for (const url of [base, 'postgresql://db.example:5433/trips?user=ann&password=s%40cret&sslpassword=s%40cret']) {
      const { protocol, host, pathname, username, password } = addressOf(url);
      expect({ protocol, host, pathname, username, password }).toEqual({
        protocol: 'postgresql:',
        host: 'db.example:5433',
        pathname: '/trips',
        username: '',
        password: '',
      });
      expect([...argumentsFor(url).values()].join(' ')).not.toMatch(/cret|ann/);
    }
    expect(addressOf('postgresql://db.example/trips').port).toBe('5432');
  });

  it.each([
    ['mysql://ann:s%40cret@db.example:3307/trips', 'mariadb://db.example:3307/trips'],
    ['mysql://db.example/trips?user=ann&password=s%40cret', 'mariadb://db.example:3306/trips'],
    ['mariadb://ann:s%40cret@[::1]/trips', 'mariadb://[::1]:3306/trips'],
    ['redis://ann:s%40cret@db.example/2#heat', 'redis://db.example:6379/2#heat'],
    ['rediss://:s%40cret@db.example:6380#heat', 'rediss://db.example:6380#heat'],
  ])('have no login of another database either: %s', (url, address) => {
    expect(addressOf(url).href.replace(/\?.*/, '')).toBe(address);
    expect([...argumentsFor(url).values()].join(' ')).not.toMatch(/cret|ann/);
    expect(loginOf(url).password).toBe('s@cret');
  });

  it.each([
    ['mongodb://ann:s%40cret@db.example/trips', 'mongodb://db.example/trips?directConnection=false'],
    [
      'mongodb://ann:s%40cret@a.example:1,b.example:2/trips?authSource=admin&replicaSet=rs&maxPoolSize=9&tls=true',
      'mongodb://a.example:1,b.example:2/trips?authSource=admin&replicaSet=rs&tls=true&directConnection=false',
    ],
    [
      'mongodb+srv://ann:s%40cret@db.example/trips?W=majority',
      'mongodb+srv://db.example/trips?W=majority&directConnection=false',
    ],
    ['mongodb://ann:s%40cret@[::1]:1/trips?DirectConnection=true', 'mongodb://[::1]:1/trips?DirectConnection=true'],
  ])('have the hosts of MongoDB, and the options that both drivers accept: %s', (url, address) => {
    expect(argumentsFor(url).get('--url')).toBe(address);
    expect(loginOf(url)).toEqual({ user: 'ann', password: 's@cret' });
  });

  it('have no certificate, proxy or login of MongoDB that Java has another option for', () => {
    for (const option of ['tlsCAFile=s3cret', 'authMechanismProperties=AWS_SESSION_TOKEN:s3cret', 'proxyHost=s3cret']) {
      const url = `mongodb://ann:pw@db.example/trips?${option}`;
      expect(() => argumentsFor(url)).toThrow(expect.objectContaining({ code: 'TB_STORE_URL' }));
      expect(() => argumentsFor(url)).not.toThrow('s3cret');
    }
  });

  it.each([
    ['SCRAM-SHA-256', true],
    ['plain', true],
    ['MONGODB-X509', false],
    ['MONGODB-AWS', false],
    ['GSSAPI', false],
  ])('have a mechanism of MongoDB only if it takes user and password: %s', (mechanism, isAccepted) => {
    const url = `mongodb://ann:pw@db.example/trips?authMechanism=${mechanism}`;
    if (isAccepted) expect(argumentsFor(url).get('--url')).toContain(`authMechanism=${mechanism}`);
    else expect(() => argumentsFor(url)).toThrow(expect.objectContaining({ code: 'TB_STORE_URL' }));
  });

  it.each([
    ['', 'disable'],
    ['?ssl={}', 'verify-ca'],
    ['?ssl={"verifyIdentity":true}', 'verify-full'],
    ['?ssl={"rejectUnauthorized":false}', 'trust'],
  ])('encrypt as mysql2 does: %s', (query, sslMode) => {
    expect(addressOf(`mysql://db.example/trips${query}`).searchParams.get('sslMode')).toBe(sslMode);
  });

  it('use the certificate of an option of mysql2, and refuse options without a counterpart', () => {
    const addressWith = (ssl: object | string) =>
      addressOf(
        `mysql://db.example/trips?ssl=${encodeURIComponent(typeof ssl === 'string' ? ssl : JSON.stringify(ssl))}`,
      );
    expect(addressWith({ ca: 'PEM' }).searchParams.get('serverSslCert')).toBe('PEM');
    for (const ssl of [{ key: 's3cret' }, 'Amazon RDS', '1']) {
      expect(() => addressWith(ssl)).toThrow(expect.objectContaining({ code: 'TB_STORE_URL' }));
    }
    expect(() => addressWith({ key: 's3cret' })).not.toThrow('s3cret');
  });

  it.each([
    ['', 'disable', null],
    ['?sslmode=disable', 'disable', null],
    ['?sslmode=no-verify', 'require', null],
    ['?sslmode=require', 'verify-full', 'org.postgresql.ssl.DefaultJavaSSLFactory'],
    ['?sslmode=verify-full', 'verify-full', 'org.postgresql.ssl.DefaultJavaSSLFactory'],
    ['?ssl=true', 'verify-full', 'org.postgresql.ssl.DefaultJavaSSLFactory'],
  ])('encrypt as node-postgres does: %s', (query, sslmode, sslfactory) => {
    const { searchParams } = addressOf(`${base}${query}`);
    expect([searchParams.get('sslmode'), searchParams.get('sslfactory')]).toEqual([sslmode, sslfactory]);
  });

  it('use the certificate of a connection string, and limit the wait for an answer', () => {
    const { searchParams } = addressOf(`${base}?sslmode=verify-full&sslrootcert=/etc/ca.pem`);
    expect(searchParams.get('sslrootcert')).toBe('/etc/ca.pem');
    expect(searchParams.has('sslfactory')).toBe(false);
    expect(Number(searchParams.get('socketTimeout'))).toBeGreaterThan(0);
  });

  it('need a host', () => {
    const sockets = ['mongodb:///trips', 'mongodb://%2Frun%2Fmongodb.sock/trips'];
    for (const url of ['postgresql:///trips?host=/run/postgresql', 'mysql:///trips', 'redis:///#heat', ...sockets]) {
      expect(() => argumentsFor(url)).toThrow('has no host');
    }
  });
});

describe('the login of a job', () => {
  it('is that of the address, or of the query, which has precedence', () => {
    expect(loginOf(base)).toEqual({ user: 'ann', password: 's@cret' });
    expect(loginOf('postgresql://db/trips?user=bob&password=a%26b')).toEqual({ user: 'bob', password: 'a&b' });
    expect(loginOf(`${base}?user=bob`)).toEqual({ user: 'bob', password: 's@cret' });
    expect(loginOf('postgresql://db/trips')).toEqual({ user: '', password: '' });
  });
});
