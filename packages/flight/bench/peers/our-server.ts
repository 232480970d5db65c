/** A process that serves the bench's flights with our server, and plain TCP beside it; it prints both locations and ends with its input. */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { FlightServer } from '../../src/server/flight-server.ts';
import { batchOf, schema } from '../numbers.ts';

const server = new FlightServer({
  doGet(ticket) {
    const [rows = 0, messages = 0] = Buffer.from(ticket).toString().split(' ').map(Number);
    const batch = batchOf(rows);
    return {
      schema,
      batches: (function* () {
        for (let i = 0; i < messages; i++) yield batch;
      })(),
    };
  },
  async doPut({ borrowedChunks, acknowledge }) {
    let rows = 0;
    for await (const { batch } of borrowedChunks) rows += batch?.numRows ?? 0;
    await acknowledge(Buffer.from(String(rows)));
  },
});

/** A request is `get SIZE COUNT` or `put SIZE COUNT`, in 64 bytes. */
const tcp = createServer((socket) => {
  socket.setNoDelay(true);
  socket.once('data', (head) => {
    const [verb, size, count] = head.subarray(0, 64).toString().trim().split(' ');
    if (verb === 'get') void sendAll(socket, Buffer.alloc(Number(size)), Number(count));
    else countAll(socket, Number(size) * Number(count) - (head.length - 64));
  });
});

async function sendAll(socket: Socket, message: Buffer, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    if (!socket.write(message)) await new Promise((resolve) => socket.once('drain', resolve));
  }
  socket.end();
}

function countAll(socket: Socket, expected: number): void {
  let left = expected;
  const take = (bytes: number): void => {
    left -= bytes;
    if (left === 0) socket.end('done');
  };
  socket.on('data', (chunk) => take(chunk.length));
  take(0);
}

await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
const location = await server.listen();
console.log(JSON.stringify({ location, tcp: `127.0.0.1:${(tcp.address() as AddressInfo).port}` }));
process.stdin.resume();
process.stdin.on('end', () => process.exit());
