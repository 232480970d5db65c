// Serves one table of three rows. Usage: node server.mjs [PORT]
import { FlightError, FlightServer } from '@topo-bench/arrow-flight';
import { tableFromArrays } from 'apache-arrow';

const { schema, batches } = tableFromArrays({
  city: ['Oslo', 'Rome', 'Lima'],
  inhabitants: Int32Array.of(717, 2749, 10_092),
});
const ticket = Buffer.from('cities');
const server = new FlightServer({
  getFlightInfo: (descriptor) => ({
    schema,
    descriptor,
    endpoints: [{ ticket, locations: [] }],
    totalRecords: 3,
    totalBytes: -1,
  }),
  doGet(asked) {
    if (ticket.equals(asked)) return { schema, batches };
    throw new FlightError('not-found', `there is no table ${Buffer.from(asked)}`);
  },
});
console.log(await server.listen(Number(process.argv[2] ?? 0)));
