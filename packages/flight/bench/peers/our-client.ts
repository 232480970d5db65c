/** A process that runs the bench's jobs with our client, or over plain TCP. */
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { FlightClient } from '../../src/client/flight-client.ts';
import { type Job, type JobResult, rowBytes, ticketOf } from '../job.ts';
import { batchOf, schema } from '../numbers.ts';

const verbs: Record<Job['verb'], (job: Job, client: FlightClient | undefined) => Promise<number>> = {
  async DoGet(job, client) {
    let rows = 0;
    const reader = await (client as FlightClient).doGet(Buffer.from(ticketOf(job)));
    for await (const { batch } of reader.borrowedChunks()) rows += batch?.numRows ?? 0;
    return rows;
  },
  async DoPut(job, client) {
    const batch = batchOf(job.rows);
    const writer = await (client as FlightClient).doPut({ path: [ticketOf(job)] }, schema);
    for (let i = 0; i < job.messages; i++) await writer.write(batch);
    const [rows] = await writer.finish();
    return Number(Buffer.from(rows ?? []).toString());
  },
  'tcp-get': (job) => overTcp(job, 'get'),
  'tcp-put': (job) => overTcp(job, 'put'),
};

async function overTcp({ location, rows, messages }: Job, verb: string): Promise<number> {
  const [host, port] = location.split(':');
  const socket = connect(Number(port), host);
  socket.setNoDelay(true);
  let received = 0;
  socket.on('data', (chunk) => {
    received += chunk.length;
  });
  const ended = new Promise((resolve) => socket.once('close', resolve));
  socket.write(`${verb} ${rows * rowBytes} ${messages}`.padEnd(64));
  if (verb === 'put') {
    const message = Buffer.alloc(rows * rowBytes);
    for (let i = 0; i < messages; i++) {
      if (!socket.write(message)) await new Promise((resolve) => socket.once('drain', resolve));
    }
  }
  await ended;
  return verb === 'put' ? (received === 4 ? rows * messages : 0) : received / rowBytes;
}

/** Connections are opened, and batches built, before the clock starts. */
async function run(job: Job): Promise<JobResult> {
  const isFlight = job.verb.startsWith('Do');
  const clients = Array.from({ length: job.streams }, () => (isFlight ? new FlightClient(job.location) : undefined));
  await Promise.all(clients.map((client) => verbs[job.verb]({ ...job, messages: 1 }, client)));
  const start = performance.now();
  const rows = await Promise.all(clients.map((client) => verbs[job.verb](job, client)));
  const seconds = (performance.now() - start) / 1000;
  await Promise.all(clients.map((client) => client?.close()));
  return { seconds, rows: rows.reduce((sum, count) => sum + count, 0) };
}

for await (const line of createInterface({ input: process.stdin }))
  console.log(JSON.stringify(await run(JSON.parse(line) as Job)));
