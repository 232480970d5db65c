/**
 * The service of the bench of governance: every case over Flight, by its number as ticket, and over HTTP. Its argument
 * is the size of the tables, as JSON.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FlightServer } from '@topo-bench/arrow-flight';
import { answerArrow } from '@topo-bench/columns/http';
import { type Case, casesOf, sourceOf, type TableSize } from './cases.ts';

const cases = casesOf(JSON.parse(process.argv[2] as string) as TableSize);
const caseOf = (number: unknown): Case => cases[Number(number)] as Case;

for (const { table } of cases) table.makeBatches();
const flight = new FlightServer({
  doGet(ticket, { signal }) {
    const { schema, chunks } = sourceOf(caseOf(Buffer.from(ticket).toString()));
    return { schema, batches: chunks(signal) };
  },
});
const http = createServer((request, response) => {
  void answerArrow(request, response, (query) => sourceOf(caseOf(query.get('case'))));
});
await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/arrow`;
process.send?.({ location: await flight.listen(), url });
process.on('message', () => process.send?.(process.cpuUsage()));
process.on('disconnect', () => process.exit());
