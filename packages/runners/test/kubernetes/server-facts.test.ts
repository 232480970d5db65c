/** How roles are deployed, by the facts that API servers of several makers report. */
import { expect, it } from 'vitest';
import { hasNativeSidecars, nodePlacement } from '../../src/kubernetes/server-facts.ts';
import { type Answer, apiServer, statusOf } from '../fixtures/api-server.ts';

it.each([
  ['1', '27', false],
  ['1', '28', false],
  // Managed clusters append a plus sign.
  ['1', '28+', false],
  ['1', '29', true],
  ['1', '29+', true],
  ['1', '34', true],
  ['2', '0', true],
])('a server of version %s.%s has native sidecars: %s', async (major, minor, expected) => {
  const api = await apiServer((path) => (path === '/version' ? { status: 200, body: { major, minor } } : undefined));
  expect(await hasNativeSidecars(api)).toBe(expected);
});

const label = 'dev.topo-bench.node';

/** A node without the label stands for a server that ignores the selector. */
const nodesLabelled = (...names: (string | undefined)[]): Answer => ({
  status: 200,
  body: { items: names.map((name) => ({ metadata: name === undefined ? {} : { labels: { [label]: name } } })) },
});

it.each<[string, Answer, string]>([
  ['every node has its label', nodesLabelled('us-1', 'eu-1', 'other'), 'labelled'],
  ['one node lacks its label', nodesLabelled('eu-1', undefined), 'spread'],
  ['no node has a label', nodesLabelled(), 'spread'],
  ['the user may not list nodes', statusOf(403, 'Forbidden', 'nodes is forbidden'), 'spread'],
])('where %s, pods are placed so', async (_, nodes, expected) => {
  const api = await apiServer((path) => (path === '/api/v1/nodes' ? nodes : undefined));
  expect(await nodePlacement(api, ['eu-1', 'us-1'])).toBe(expected);
});

it('a server that fails to list nodes fails the start', async () => {
  const api = await apiServer(() => statusOf(500, 'InternalError', 'etcd is away'));
  await expect(nodePlacement(api, ['eu-1'])).rejects.toMatchObject({ status: 500, message: 'etcd is away' });
});
