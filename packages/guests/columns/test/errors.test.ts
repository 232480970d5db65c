import { ArrowError, FlightClient, FlightError, FlightServer } from '@topo-bench/arrow-flight';
import { TopoBenchError } from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import { flightErrorOf, topoBenchErrorOf } from '../src/index.ts';
import { SqlFailure } from '../src/sql/sql-source.ts';

describe('the status that a Flight client receives', () => {
  it.each([
    [new SqlFailure('wrong', 'syntax'), 'invalid-argument'],
    [new SqlFailure('denied', 'no right'), 'permission-denied'],
    [new SqlFailure('timeout', 'slow'), 'deadline-exceeded'],
    [new SqlFailure('too-large', 'large'), 'resource-exhausted'],
    [new SqlFailure('unsupported', 'type'), 'unimplemented'],
    [new SqlFailure('unavailable', 'gone'), 'unavailable'],
    [new TopoBenchError('TB_ARROW_DENIED', 'refused'), 'permission-denied'],
    [new TopoBenchError('TB_ARROW_UNSUPPORTED', 'cannot'), 'unimplemented'],
  ])('%s', (error, status) => {
    expect(flightErrorOf(error)).toMatchObject({ status, message: error.message });
  });

  it('is left to the transport for other errors', () => {
    expect(flightErrorOf(new Error('x'))).toBeUndefined();
    expect(flightErrorOf(new TopoBenchError('TB_INTERNAL', 'x'))).toBeUndefined();
  });

  it('reaches the client with message and hint', async () => {
    const getSchema = (): never => {
      throw new TopoBenchError('TB_ARROW_DENIED', 'the rule "no" refuses this stream', {
        hint: 'state another purpose',
      });
    };
    const server = new FlightServer({ getSchema }, { statusOf: flightErrorOf });
    const client = new FlightClient(await server.listen());
    const message = 'the rule "no" refuses this stream (state another purpose)';
    await expect(client.getSchema({ path: ['x'] })).rejects.toMatchObject({ status: 'permission-denied', message });
    await client.close(0);
    await server.close(0);
  });
});

it('errors of the transport have codes of topo-bench, with the same message and hint', () => {
  const hint = 'later';
  expect(topoBenchErrorOf(new FlightError('unavailable', 'gone', { hint }))).toMatchObject({
    code: 'TB_FLIGHT_CALL',
    message: 'gone',
    hint,
  });
  const codes = (['ARROW_MALFORMED', 'ARROW_UNSUPPORTED'] as const).map((code) =>
    topoBenchErrorOf(new ArrowError(code, 'm', hint)),
  );
  expect(codes).toMatchObject([
    { code: 'TB_ARROW_MALFORMED', message: 'm', hint },
    { code: 'TB_ARROW_UNSUPPORTED', message: 'm', hint },
  ]);
  const other = new Error('x');
  expect(topoBenchErrorOf(other)).toBe(other);
});
