/** What a job on Flink is given: its arguments have no secret, and its connection is that of the other engine. */
import { describe, expect, it } from 'vitest';
import { argumentsOf, loginOf } from '../../src/flink/job-arguments.ts';

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
const argumentsFor = (heatMapUrl: string): Map<string, string> => {
  const given = argumentsOf({ ...job, heatMapUrl });
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
    expect(() => argumentsFor('postgresql:///trips?host=/run/postgresql')).toThrow('has no host');
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
