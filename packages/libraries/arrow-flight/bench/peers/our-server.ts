/**
 * A process that serves the bench's flights with our server, and plain TCP next to it; it prints both locations and
 * ends with its input.
 */
import { createInterface } from 'node:readline';
import { FlightServer } from '../../src/server/flight-server.ts';
import { type Order, readTicket } from '../job.ts';
import { batchOf, schema } from '../numbers.ts';
import { countRows } from './count-rows.ts';
import { bytesOf, currentAccount, noteCall, noteSent } from './our-account.ts';
import { servePlainTcp } from './plain-tcp.ts';

const server = new FlightServer({
  doGet(ticket) {
    const { rows, messages } = readTicket(ticket);
    noteCall('DoGet', Buffer.from(ticket).toString());
    const batch = batchOf(rows);
    const bytes = bytesOf(batch);
    return {
      schema,
      batches: (function* () {
        for (let i = 0; i < messages; i++) {
          noteSent(bytes);
          yield batch;
        }
      })(),
    };
  },
  async doPut({ descriptor, chunks, borrowedChunks, acknowledge }) {
    const ticket = descriptor.path?.[0] ?? '';
    noteCall('DoPut', ticket);
    const source = { chunks: () => chunks, borrowedChunks: () => borrowedChunks };
    await acknowledge(Buffer.from(String(await countRows(source, readTicket(ticket).taking))));
  },
});

const location = await server.listen();
const { location: tcp } = await servePlainTcp();
console.log(JSON.stringify({ location, tcp }));
for await (const line of createInterface({ input: process.stdin })) {
  if ((JSON.parse(line) as Order) === 'account') console.log(JSON.stringify(currentAccount()));
}
process.exit();
