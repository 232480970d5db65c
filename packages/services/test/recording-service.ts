/** A service that keeps what it is given, in place of a real one. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WorkMessage } from '@topo-bench/flow';

export interface RecordingService {
  url: string;
  received: WorkMessage[];
  headers: IncomingHttpHeaders[];
  /** Set to make it answer otherwise; `undefined` as status: not at all. */
  status: number | undefined;
  close(): void;
}

export async function recordingService(): Promise<RecordingService> {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    service.received.push(JSON.parse(text) as WorkMessage);
    service.headers.push(request.headers);
    if (service.status !== undefined) response.writeHead(service.status).end('{"delivered":{},"answer":""}');
  });
  const service: RecordingService = {
    url: '',
    received: [],
    headers: [],
    status: 200,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return service;
}
