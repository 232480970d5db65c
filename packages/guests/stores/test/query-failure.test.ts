/** What callers of Flight SQL learn of a failure: the fault of their query, and nothing of the database's place. */
import { expect, it } from 'vitest';
import { queryFailure } from '../src/postgresql/reader/query-failure.ts';

const errorOf = (code: string | undefined, message: string, others: object = {}): Error =>
  Object.assign(new Error(message), { ...(code !== undefined && { code }), ...others });

it('a database that cannot be reached, or fails by itself, has one text without names, addresses and files', () => {
  const failures = [
    errorOf('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:22120'),
    errorOf('ENOTFOUND', 'getaddrinfo ENOTFOUND db.internal'),
    errorOf(undefined, 'Connection terminated unexpectedly'),
    errorOf('08006', 'connection to db.internal failed', { detail: 'port 22120', hint: 'see db.internal' }),
    errorOf('28P01', 'password authentication failed for user "topo_bench_x_reader"'),
    errorOf('3D000', 'database "topo_bench_x" does not exist'),
    errorOf('53100', 'could not extend file "base/1/2": No space left on device'),
    errorOf('57P01', 'terminating connection due to administrator command'),
    errorOf('58030', 'could not read file "base/1/2"'),
    errorOf('XX001', 'invalid page in block 0 of relation base/1/2'),
  ];
  for (const error of failures) {
    const failure = queryFailure(error, 'SELECT 1');
    expect(failure).toMatchObject({ kind: 'unavailable', message: 'the database cannot answer', cause: error });
    expect(failure.hint).toBeUndefined();
  }
});

it('the fault of a query is in the words of the database', () => {
  const error = errorOf('42703', 'column "x" does not exist', { hint: 'Perhaps "y".', position: '8' });
  const message = 'column "x" does not exist, at line 1, column 8';
  expect(queryFailure(error, 'SELECT x')).toMatchObject({ kind: 'wrong', message, hint: 'Perhaps "y".' });
});
