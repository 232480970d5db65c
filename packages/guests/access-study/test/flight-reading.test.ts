/** A read over Flight that fails: programs that are gone, also while the connection stays open, and others. */
import { createLauncher, type LaunchedStream } from '@topo-bench/connectors';
import { TopoBenchError } from '@topo-bench/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Conversion, startConversion } from '../../connectors/test/fixtures/inner-parts.ts';
import { PartClock } from '../src/client/part-clock.ts';
import { flightPath } from '../src/client/paths/flight-reading.ts';
import { RowCheck } from '../src/client/row-check.ts';

const stream = { name: 'sales', json_schema: { type: 'object', properties: { id: { type: ['integer', 'null'] } } } };
const tokens = { flightToken: 'flight', inputToken: 'input' };
const settings = { ...tokens, host: '127.0.0.1', flightPort: 0, inputPort: 0, batchRows: 3, compression: 'none' };

let conversion: Conversion;
beforeAll(async () => {
  // No connector ever feeds it.
  conversion = await startConversion({ streams: [{ stream }] } as never, settings as never);
});
afterAll(() => conversion.close());

interface Ends {
  over: LaunchedStream['over'];
  whole: LaunchedStream['whole'];
  password?: string;
}

async function read({ password = 'flight', ...ends }: Ends): Promise<{ failure: unknown; stops: number }> {
  let stops = 0;
  const launched: LaunchedStream = {
    programs: {},
    flightUrl: `grpc+tcp://127.0.0.1:${conversion.ready.flightPort}`,
    user: 'topo-bench',
    password,
    stream: 'sales',
    begin: () => undefined,
    ...ends,
    stop: async () => {
      stops++;
    },
  };
  const launcher = await createLauncher('process', { builtFolder: '/nowhere' });
  const path = flightPath({ launcher, store: 'postgresql', warm: false, launch: async () => launched });
  const clock = new PartClock();
  const tools = { clock, check: new RowCheck(clock), signal: new AbortController().signal, limitRows: undefined };
  const failure = await path.read(tools).catch((error: unknown) => error);
  return { failure, stops };
}

const failed = (message: string) => async () => {
  throw new TopoBenchError('TB_CONNECTOR_FAILED', message, { hint: 'read again' });
};

it('ends with an error instead of waiting for the timeout of the experiment', { timeout: 20_000 }, async () => {
  const { failure, stops } = await read({ over: async () => undefined, whole: async () => ({}) });
  expect(failure).toMatchObject({
    code: 'TB_FLIGHT_CALL',
    message: expect.stringContaining('the programs have ended, and the stream has not'),
  });
  expect(stops).toBeGreaterThan(0);
});

it('ends with what a program reports that has failed', { timeout: 20_000 }, async () => {
  const { failure } = await read({ over: async () => undefined, whole: failed('out of memory'), password: 'wrong' });
  expect(failure).toMatchObject({ code: 'TB_CONNECTOR_FAILED', message: 'out of memory' });
});

it('ends with its own failure where programs only end because they are stopped', { timeout: 20_000 }, async () => {
  const over = () => new Promise<void>(() => {});
  const { failure, stops } = await read({ over, whole: failed('was deleted'), password: 'wrong' });
  expect(failure).toMatchObject({ code: 'TB_FLIGHT_CALL', message: expect.not.stringContaining('was deleted') });
  expect(stops).toBeGreaterThan(0);
});
