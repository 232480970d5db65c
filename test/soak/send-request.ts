/** A request of a soak over HTTP, and its sample as a load generator would have it. */
import http from 'node:http';
import type { GatewayRequest, GatewayResponse, Sample } from '@topo-bench/core';
import { requestSample } from '@topo-bench/results';

export interface Sending {
  agent: http.Agent;
  /** Time since the begin of the load. */
  nowUs(): number;
  withinMs: number;
}

interface Answer {
  status: number | null;
  failure: string | null;
  response?: GatewayResponse | undefined;
}

export async function sendRequest(
  gatewayUrl: string,
  { request, row, atUs }: { request: GatewayRequest; row: number; atUs: number },
  { agent, nowUs, withinMs }: Sending,
): Promise<Sample> {
  const sentUs = nowUs();
  const { status, failure, response } = await answerOf(gatewayUrl, JSON.stringify(request), agent, withinMs);
  const doneUs = failure === null ? nowUs() : null;
  const view = { intendedUs: atUs, sentUs, doneUs, rttUs: response?.rttUs ?? null, status, failure };
  return requestSample(view, response, request, row);
}

/** Never rejects. */
function answerOf(gatewayUrl: string, body: string, agent: http.Agent, timeout: number): Promise<Answer> {
  return new Promise((resolve) => {
    const fail = (failure: string): void => resolve({ status: null, failure });
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const request = http.request(`${gatewayUrl}/requests`, { method: 'POST', agent, headers, timeout }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('error', () => fail('connection-reset'));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, failure: null, response: responseIn(text) }));
    });
    request.on('timeout', () => {
      fail('timeout');
      request.destroy();
    });
    request.on('error', ({ code }: NodeJS.ErrnoException) =>
      fail(code === 'ECONNREFUSED' ? 'connection-refused' : 'connection-reset'),
    );
    request.end(body);
  });
}

/** A gateway that refuses a request itself has no outcome. */
function responseIn(text: string): GatewayResponse | undefined {
  const response = JSON.parse(text) as Partial<GatewayResponse>;
  return response.outcome ? (response as GatewayResponse) : undefined;
}
