/** A process that runs the bench's jobs with our client, or over plain TCP. */
import { createInterface } from 'node:readline';
import { FlightClient } from '../../src/client/flight-client.ts';
import { type Job, type JobResult, type Order, ticketOf } from '../job.ts';
import { batchOf, schema } from '../numbers.ts';
import { countRows } from './count-rows.ts';
import { bytesOf, currentAccount, noteCall, noteSent } from './our-account.ts';
import { overPlainTcp } from './plain-tcp.ts';

async function get(job: Job, client: FlightClient): Promise<number> {
  return countRows(await client.doGet(Buffer.from(ticketOf(job))), job.taking);
}

async function put(job: Job, client: FlightClient): Promise<number> {
  const batch = batchOf(job.rows);
  const bytes = bytesOf(batch);
  const writer = await client.doPut({ path: [ticketOf(job)] }, schema);
  for (let i = 0; i < job.messages; i++) {
    noteSent(bytes);
    await writer.write(batch);
  }
  const [rows] = await writer.finish();
  return Number(Buffer.from(rows ?? []).toString());
}

interface Prepared {
  job: Job;
  clients: { location: string; flight: FlightClient | undefined }[];
}

async function prepare(job: Job): Promise<Prepared> {
  const clients = Array.from({ length: job.streams }, (_, stream) => {
    const location = job.locations[stream % job.locations.length] as string;
    return { location, flight: job.verb.startsWith('Do') ? new FlightClient(location) : undefined };
  });
  const prepared = { job, clients };
  await callAll(prepared);
  return prepared;
}

/** @returns rows that arrived */
async function callAll({ job, clients }: Prepared): Promise<number> {
  const rows = await Promise.all(
    clients.map(({ location, flight }) => {
      if (!flight) return overPlainTcp(job, location);
      noteCall(job.verb, ticketOf(job));
      return job.verb === 'DoGet' ? get(job, flight) : put(job, flight);
    }),
  );
  return rows.reduce((sum, count) => sum + count, 0);
}

async function go(prepared: Prepared): Promise<JobResult> {
  const start = performance.now();
  const rows = await callAll(prepared);
  const seconds = (performance.now() - start) / 1000;
  await Promise.all(prepared.clients.map(({ flight }) => flight?.close()));
  return { seconds, rows };
}

let prepared: Prepared | undefined;

async function obey(order: Order): Promise<unknown> {
  if (order === 'account') return currentAccount();
  if (order === 'go') return go(prepared as Prepared);
  prepared = await prepare(order.prepare);
  return 'prepared';
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await obey(JSON.parse(line) as Order)));
}
