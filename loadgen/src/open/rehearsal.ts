/**
 * Before the load, a generator process sends some requests to a server of its own. Cold JavaScript takes about 1 ms of
 * CPU per request. Without rehearsal the first thousand requests would include the generator's own just-in-time
 * compilation.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { LoadJob } from '../load-job.ts';
import type { Pacer } from './pacer.ts';

const rateRps = 4000;
const durationUs = 300_000;

/** A job like the real one, on a server in this process that accepts any request. */
export interface Rehearsal {
  job: LoadJob;
  pacer: Pacer;
  end(): void;
}

export async function prepareRehearsal(job: LoadJob): Promise<Rehearsal> {
  const server = acceptAllServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    // Repetition 0: no measured repetition has the same requests.
    job: {
      ...evenAndQuiet(job),
      urls: [url],
      request: smallRequest,
      repetition: 0,
      arrivals: 'constant',
      rateRps,
      durationUs,
      drainUs: durationUs,
    },
    pacer: immediatePacer(),
    end: () => server.close(),
  };
}

function evenAndQuiet({
  turns: _turns,
  rampToRps: _ramp,
  progressMs: _progress,
  tls: _tls,
  entries: _,
  ...job
}: LoadJob) {
  return job;
}

// Small, so that it arrives in one piece: the server takes each piece for a request.
const smallRequest: LoadJob['request'] = {
  kind: 'generated',
  classes: [
    {
      name: 'rehearsal',
      weight: 1,
      origin: 'any',
      purpose: 'any',
      consents: [],
      payload: { text: { category: 'none', size: 64 } },
    },
  ],
};
/** Has all fields that real servers may send: V8 discards optimised code at the first unseen field. */
const response = [
  'HTTP/1.1 200 OK',
  'content-type: application/json',
  'x-topo-rtt-us: 1',
  'content-length: 2',
  'date: Thu, 01 Jan 1970 00:00:00 GMT',
  'connection: keep-alive',
  'keep-alive: timeout=5',
  '',
  '{}',
].join('\r\n');

function acceptAllServer(): Server {
  return createServer((socket) => {
    socket.on('data', () => socket.write(response)).on('error', () => socket.destroy());
  });
}

/** Calls back on every turn of the event loop. */
function immediatePacer(): Pacer {
  let running = true;
  return {
    start(_startAtUs, sendDue) {
      const look = (): void => {
        sendDue();
        if (running) setImmediate(look);
      };
      look();
    },
    stop() {
      running = false;
    },
  };
}
