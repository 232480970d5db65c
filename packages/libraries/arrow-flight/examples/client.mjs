// Reads all parts of a flight in parallel and prints its rows. Usage: node client.mjs grpc+tcp://127.0.0.1:PORT
import { FlightClient, readFlight } from '@topo-bench/arrow-flight';

const client = new FlightClient(process.argv[2]);
try {
  const info = await client.getFlightInfo({ path: ['cities'] });
  for await (const batch of readFlight(client, info)) {
    for (const row of batch) console.log(row.city, row.inhabitants);
  }
} finally {
  await client.close();
}
