/** The requests of one generator process, serialised before the load, and their connections. */
import { type LoadJob, parseTarget } from '../load-job.ts';
import { type OutgoingRequests, outgoingRequests } from '../outgoing-requests.ts';
import { jobOfServer } from '../turns.ts';
import { Connections } from './connections.ts';
import { requestMessage } from './request-message.ts';
import { maxKeptBodyBytes } from './response-parser.ts';

/** Max requests serialised ahead, per process; the others are built when sent (large payloads at a high rate). */
const prebuiltBytes = 256 * 1024 * 1024;

export interface PreparedRequests {
  method: string;
  keepResponses: boolean;
  /** Whether the header that connections keep is stored with the body instead of being the reported RTT. */
  keepHeader: boolean;
  /** Connections per URL, or per entry of each. */
  connections: readonly Connections[];
  /** The request of a row as bytes, and the connections to its server. */
  take(row: number): PreparedRequest;
}

interface PreparedRequest {
  message: Buffer;
  connections: Connections;
}

/** @param indexes places in the schedule, by row */
export function prepareRequests(job: LoadJob, indexes: Uint32Array): PreparedRequests {
  const servers = job.urls.length;
  const outgoing = job.urls.map((_, server) => outgoingRequests(jobOfServer(job, server)));
  const [{ method, headers, keepResponses, keptHeader }] = outgoing as [OutgoingRequests];
  const options = { wantedHeader: keptHeader, maxBodyBytes: keepResponses ? maxKeptBodyBytes : 0, tls: job.tls };
  const entries = job.urls.map((url, server) => {
    return (job.entries?.[server] ?? [{ region: '', url }]).map((entry) => {
      const target = parseTarget(entry.url);
      const message = requestMessage(target, method, headers);
      return { region: entry.region, target, message, connections: new Connections(target, options) };
    });
  });
  const build = (row: number): PreparedRequest => {
    const index = indexes[row] as number;
    const server = index % servers;
    const { varied, body, origin } = outgoing[server] as OutgoingRequests;
    const place = job.turns ? Math.floor(index / servers) : index;
    const own = entries[server] as (typeof entries)[number];
    const [first] = own as [(typeof own)[number]];
    if (!varied) {
      const region = own.length > 1 ? origin?.(place) : undefined;
      const { message, connections } = own.find((entry) => entry.region === region) ?? first;
      return { message: message(body(place)), connections };
    }
    const request = varied(place);
    const target = new URL(request.path, first.target);
    const message = requestMessage(target, request.method, Object.entries(request.headers))(request.body);
    return { message, connections: first.connections };
  };
  const prebuilt: PreparedRequest[] = [];
  for (
    let bytes = 0;
    prebuilt.length < indexes.length && bytes < prebuiltBytes;
    bytes += prebuilt.at(-1)?.message.length ?? 0
  ) {
    prebuilt.push(build(prebuilt.length));
  }
  return {
    method,
    keepResponses,
    keepHeader: keptHeader !== undefined,
    connections: entries.flat().map(({ connections }) => connections),
    take: (row) => prebuilt[row] ?? build(row),
  };
}
