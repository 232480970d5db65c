/** A read over Flight whose programs are gone while its connection stays open, as that of a lost container does. */
import { createLauncher, type LaunchedStream } from '@topo-bench/connectors';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Conversion, startConversion } from '../../../connectors/test/fixtures/inner-parts.ts';
import { PartClock } from '../../src/access/client/part-clock.ts';
import { flightPath } from '../../src/access/client/paths/flight-reading.ts';
import { RowCheck } from '../../src/access/client/row-check.ts';

const stream = { name: 'sales', json_schema: { type: 'object', properties: { id: { type: ['integer', 'null'] } } } };
const tokens = { flightToken: 'flight', inputToken: 'input' };
const settings = { ...tokens, host: '127.0.0.1', flightPort: 0, inputPort: 0, batchRows: 3, compression: 'none' };

let conversion: Conversion;
beforeAll(async () => {
  // No connector ever feeds it.
  conversion = await startConversion({ streams: [{ stream }] } as never, settings as never);
});
afterAll(() => conversion.close());

it('ends with an error instead of waiting for the timeout of the experiment', { timeout: 20_000 }, async () => {
  let stops = 0;
  const launched: LaunchedStream = {
    programs: {},
    flightUrl: `grpc+tcp://127.0.0.1:${conversion.ready.flightPort}`,
    user: 'topo-bench',
    password: 'flight',
    stream: 'sales',
    begin: () => undefined,
    over: async () => undefined,
    whole: async () => ({}),
    stop: async () => {
      stops++;
    },
  };
  const launcher = await createLauncher('process', { builtFolder: '/nowhere' });
  const path = flightPath({ launcher, store: 'postgresql', warm: false, launch: async () => launched });
  const clock = new PartClock();
  const tools = { clock, check: new RowCheck(clock), signal: new AbortController().signal, limitRows: undefined };
  await expect(path.read(tools)).rejects.toMatchObject({
    code: 'TB_FLIGHT_CALL',
    message: expect.stringContaining('the programs have ended, and the stream has not'),
  });
  expect(stops).toBeGreaterThan(0);
});
