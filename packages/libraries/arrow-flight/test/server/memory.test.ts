import { expect, it } from 'vitest';
import { FlightClient } from '../../src/client/flight-client.ts';
import { FlightServer } from '../../src/server/flight-server.ts';
import { numbersBatch, numbersSchema, numbersService } from '../numbers-service.ts';

const mebibyte = 1024 ** 2;
/** Number of batches of 3.2 MB. */
const messages = 300;

it('uses as much memory for a gigabyte each way as for a tenth of it', async () => {
  const batch = numbersBatch(100_000);
  const { service } = numbersService();
  const server = new FlightServer({
    ...service,
    doGet: () => ({
      schema: numbersSchema,
      batches: (function* () {
        for (let i = 0; i < messages; i++) yield batch;
      })(),
    }),
  });
  const client = new FlightClient(await server.listen());
  try {
    let settled = 0;
    let peak = 0;
    const watch = (message: number): void => {
      const used = process.memoryUsage().rss / mebibyte;
      if (message < messages / 10) settled = Math.max(settled, used);
      else peak = Math.max(peak, used);
    };
    let message = 0;
    for await (const _ of await client.doGet(Buffer.from('any'))) watch(message++);
    const writer = await client.doPut({ path: ['x'] }, numbersSchema);
    for (message = 0; message < messages; message++) {
      await writer.write(batch);
      watch(message);
    }
    await writer.finish();
    // Sender and receiver are both in this process.
    expect(peak - settled).toBeLessThan(400);
  } finally {
    await client.close(0);
    await server.close(0);
  }
});
