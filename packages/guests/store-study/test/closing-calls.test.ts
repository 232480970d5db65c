/** Closing calls to a real server that does not answer one of them. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { enforcementHeader, writeEnforcement } from '@topo-bench/core';
import { itemOracle } from '@topo-bench/oracle/item-calls';
import { graphOf } from '@topo-bench/topology';
import { type StoreWorkload, seededItem } from '@topo-bench/workload';
import { afterEach, describe, expect, it } from 'vitest';
import { closingFindings } from '../src/closing-calls.ts';

const graph = graphOf({
  apiVersion: 'topo-bench/v1',
  kind: 'Topology',
  name: 't',
  services: [{ name: 'items', persistence: { store: 'sql-indexed', rows: 60 } }],
  enforcement: { architecture: 'sidecar' },
});
const workload: StoreWorkload = {
  ...{ reads: 1, queries: 0, creates: 0, keys: 'uniform' as const, skew: 0.99, limit: 20, path: '/items/items' },
  dataset: { rows: 60, seed: 3 },
  classes: [{ name: 'order', origin: 'eu', purpose: 'order', weight: 1, consents: [], payload: {} }],
};

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const page = Array.from({ length: 20 }, (_, number) => seededItem(3, number, 60));

/** @param onDelete answers deletions; lists and statistics have their right answer */
async function closing(onDelete: (response: ServerResponse) => void, timeoutMs?: number) {
  const calls: string[] = [];
  server = createServer(({ method, url }, response) => {
    calls.push(method as string);
    if (method === 'DELETE') return onDelete(response);
    const isList = url?.includes('limit');
    const decisions = Array.from({ length: isList ? page.length : 1 }, () => ({ effect: 'allow' as const }));
    response.setHeader(enforcementHeader, writeEnforcement(decisions));
    if (isList) response.end(JSON.stringify({ items: page, next: 'more' }));
    else response.end(JSON.stringify({ items: 60, totalCents: 9, byStatus: { paid: { items: 60, totalCents: 9 } } }));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const found = await closingFindings({
    url: `http://127.0.0.1:${((server as Server).address() as AddressInfo).port}/items/items`,
    clientToken: 'token',
    stored: {
      ...{ oracle: itemOracle(graph, 'items', 0, 'pseudonyms'), workload, seed: 1, repetition: 1 },
      ...{ warmUpRequests: 0, sent: [] },
    },
    settled: true,
    signal: new AbortController().signal,
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  return { ...found, calls };
}

describe('a closing call without a usable answer ends the calls, and is named with the reason', () => {
  it('when the server answers nothing at all', async () => {
    const { unanswered, calls, wrong } = await closing(() => {}, 5000);
    expect(unanswered).toMatch(/^closing call DELETE \/items\/items\/o-0+ has no usable answer: none within 5 s$/);
    expect(calls).toEqual(['GET', 'GET', 'DELETE']);
    expect(wrong).toEqual([]);
  });

  it('when the server reports an error', async () => {
    const { unanswered, calls } = await closing((response) => response.writeHead(503).end());
    expect(unanswered).toMatch(/ DELETE .* no usable answer: status 503$/);
    expect(calls).toEqual(['GET', 'GET', 'DELETE']);
  });

  it('when the server closes the connection', async () => {
    const { unanswered } = await closing((response) => response.destroy());
    expect(unanswered).toMatch(/ DELETE .* no usable answer: .*(other side closed|ECONNRESET|socket)/);
  });

  it('and is none of those that are answered in time, however long all of them take', async () => {
    const late = (response: ServerResponse): void => void setTimeout(() => response.writeHead(204).end(), 2000);
    const { unanswered, calls } = await closing(late, 5000);
    expect(unanswered).toBeUndefined();
    expect(calls.filter((method) => method === 'DELETE')).toHaveLength(3);
  });
});
