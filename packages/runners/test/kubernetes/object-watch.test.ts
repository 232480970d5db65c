/** Watches that end in every way that API servers and networks end them. Objects vanish and appear in between. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { ObjectWatch } from '../../src/kubernetes/object-watch.ts';
import { type Answer, apiServer, statusOf } from '../fixtures/api-server.ts';

const path = '/api/v1/namespaces/n/pods';

interface Pod {
  metadata: { name: string; uid: string };
}

const pod = (name: string): Pod => ({ metadata: { name, uid: `uid of ${name}` } });

/** What one round of list and watch is answered with. The watch stays open without `end`. */
interface Round {
  pods: string[];
  /** In place of the list. */
  refusal?: Answer;
  end?: (watch: ServerResponse) => void;
}

const sends =
  (...events: object[]) =>
  (watch: ServerResponse): void => {
    for (const event of events) watch.write(`${JSON.stringify(event)}\n`);
  };

/** A watch of a collection whose lists have the versions 100, 101 and so on. The last round is repeated. */
async function watched(...rounds: Round[]) {
  let lists = 0;
  const versions: (string | null)[] = [];
  const watches: ServerResponse[] = [];
  const roundAt = (list: number): Round => rounds[Math.min(list, rounds.length - 1)] as Round;
  const list = (): Answer => {
    const { pods, refusal } = roundAt(lists++);
    if (refusal) return refusal;
    return { status: 200, body: { items: pods.map(pod), metadata: { resourceVersion: String(99 + lists) } } };
  };
  const api = await apiServer(
    (asked) => (asked === path ? list() : undefined),
    (query, response) => {
      versions.push(query.get('resourceVersion'));
      watches.push(response);
      response.flushHeaders();
      roundAt(lists - 1).end?.(response);
    },
  );
  const told: string[] = [];
  const watch = new ObjectWatch<Pod>(api, path, {
    changed: ({ metadata }) => told.push(`${metadata.name} changed`),
    gone: ({ metadata }) => told.push(`${metadata.name} gone`),
    failed: (error) => told.push(`failed: ${(error as Error).message}`),
  });
  onTestFinished(() => watch.stop());
  const names = (): string[] => watch.items.map(({ metadata }) => metadata.name);
  return { watch, watches, names, told, versions, lists: () => lists };
}

it('follows the events of one watch, from the version of its list', async () => {
  const { names, told, versions } = await watched({
    pods: ['a', 'b'],
    end: sends(
      { type: 'MODIFIED', object: pod('a') },
      { type: 'BOOKMARK', object: { metadata: { resourceVersion: '7' } } },
      { type: 'DELETED', object: pod('b') },
      { type: 'ADDED', object: pod('c') },
    ),
  });
  await expect.poll(() => told).toEqual(['a changed', 'b changed', 'a changed', 'b gone', 'c changed']);
  expect(names()).toEqual(['a', 'c']);
  expect(versions).toEqual(['100']);
});

const gone = statusOf(410, 'Expired', 'too old resource version: 100 (200)');

it.each<[string, (watch: ServerResponse) => void]>([
  ['the server ends the watch', (watch) => void watch.end()],
  ['the connection is cut', (watch) => void watch.socket?.destroy()],
  ['the connection is cut within an event', (watch) => void watch.write('{"type":"DEL', () => watch.socket?.destroy())],
  // The server keeps the connection open: only the event ends this watch.
  ['an event reports an error', sends({ type: 'ERROR', object: gone.body })],
])('lists again when %s: a pod that vanished meanwhile is gone', async (_, end) => {
  const { names, told, versions } = await watched({ pods: ['a', 'b'], end }, { pods: ['b', 'c'] });
  await expect.poll(() => versions).toEqual(['100', '101']);
  expect(told).toEqual(['a changed', 'b changed', 'a gone', 'b changed', 'c changed']);
  expect(names()).toEqual(['b', 'c']);
});

it('closes the connection of a watch that reported an error', async () => {
  const { watches } = await watched({ pods: [], end: sends({ type: 'ERROR', object: gone.body }) }, { pods: [] });
  await expect.poll(() => watches.length).toBe(2);
  expect(watches.map(({ destroyed }) => destroyed)).toEqual([true, false]);
});

it.each([
  ['410: the version is too old', gone],
  ['429: the server has too many requests', statusOf(429, 'TooManyRequests', 'try again later')],
  ['503: the server starts', statusOf(503, 'ServiceUnavailable', 'apiserver not ready')],
])('lists again after a refusal with %s', async (_, refusal) => {
  const cut = (watch: ServerResponse): void => void watch.end();
  const { told, names, lists } = await watched({ pods: ['a'], end: cut }, { pods: [], refusal }, { pods: ['b'] });
  await expect.poll(() => names()).toEqual(['b']);
  // The pod is not gone while the server cannot list it.
  expect(told).toEqual(['a changed', 'a gone', 'b changed']);
  expect(lists()).toBe(3);
});

it('fails at once, and lists no more, when the right was withdrawn', async () => {
  const forbidden = statusOf(403, 'Forbidden', 'pods is forbidden: User "u" cannot list resource "pods"');
  const { told, names, lists } = await watched(
    { pods: ['a'], end: (watch) => void watch.end() },
    { pods: [], refusal: forbidden },
  );
  await expect.poll(() => told.length).toBe(2);
  expect(told[1]).toBe('failed: pods is forbidden: User "u" cannot list resource "pods"');
  expect(names()).toEqual(['a']);
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(lists()).toBe(2);
});

it('stops within a watch, closes its connection and reports nothing', async () => {
  const { watch, watches, told } = await watched({ pods: ['a'] });
  await expect.poll(() => watches.length).toBe(1);
  const closed = once(watches[0] as ServerResponse, 'close');
  await watch.stop();
  await closed;
  expect(told).toEqual(['a changed']);
});
