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
  /** Connections per URL. */
  connections: readonly Connections[];
  /** The request of a row as bytes. */
  message(row: number): Buffer;
}

/** @param indexes places in the schedule, by row */
export function prepareRequests(job: LoadJob, indexes: Uint32Array): PreparedRequests {
  const targets = job.urls.map(parseTarget);
  const servers = targets.length;
  const outgoing = targets.map((_, server) => outgoingRequests(jobOfServer(job, server)));
  const [{ method, headers, keepResponses, keptHeader }] = outgoing as [OutgoingRequests];
  const messages = targets.map((target) => requestMessage(target, method, headers));
  const build = (row: number): Buffer => {
    const index = indexes[row] as number;
    const server = index % servers;
    const { varied, body } = outgoing[server] as OutgoingRequests;
    const place = job.turns ? Math.floor(index / servers) : index;
    if (!varied) return (messages[server] as (typeof messages)[0])(body(place));
    const request = varied(place);
    const target = new URL(request.path, targets[server]);
    return requestMessage(target, request.method, Object.entries(request.headers))(request.body);
  };
  const prebuilt: Buffer[] = [];
  for (
    let bytes = 0;
    prebuilt.length < indexes.length && bytes < prebuiltBytes;
    bytes += prebuilt.at(-1)?.length ?? 0
  ) {
    prebuilt.push(build(prebuilt.length));
  }
  const options = { wantedHeader: keptHeader, maxBodyBytes: keepResponses ? maxKeptBodyBytes : 0, tls: job.tls };
  const connections = targets.map((target) => new Connections(target, options));
  return {
    method,
    keepResponses,
    keepHeader: keptHeader !== undefined,
    connections,
    message: (row) => prebuilt[row] ?? build(row),
  };
}
