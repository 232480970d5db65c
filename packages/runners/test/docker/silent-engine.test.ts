/** Work on an engine that gives no answer at first. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { withinDeadline } from '@topo-bench/containers';
import Docker from 'dockerode';
import { expect, it, onTestFinished, vi } from 'vitest';
import { whileUnanswered } from '../../src/docker/watched-container.ts';

async function engineOf(answers: readonly ('none' | number)[]): Promise<{ client: Docker; requests: () => number }> {
  let requests = 0;
  const server = createServer((_, response) => {
    const answer = answers[requests++] ?? 'none';
    if (answer !== 'none') response.writeHead(answer, { 'content-type': 'application/json' }).end('{"Id":"abc"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    vi.useRealTimers();
    server.closeAllConnections();
    server.close();
  });
  const client = new Docker({ protocol: 'http', host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  return { client, requests: () => requests };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('is tried again after a missed deadline, which is longer than the time that a restart takes', async () => {
  const { client, requests } = await engineOf(['none', 200]);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const inspected = whileUnanswered(() =>
    withinDeadline('inspect the container', (abortSignal) => client.getContainer('abc').inspect({ abortSignal })),
  );
  while (requests() < 1) await turn();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await inspected).toEqual({ Id: 'abc' });
  expect(requests()).toBe(2);
});

it('ends at once when the engine answers with an error', async () => {
  const { client, requests } = await engineOf([500, 200]);
  const inspected = whileUnanswered(() => client.getContainer('abc').inspect());
  await expect(inspected).rejects.toMatchObject({ statusCode: 500 });
  expect(requests()).toBe(1);
});
