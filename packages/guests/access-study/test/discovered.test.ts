/** The catalog of a read, from a program of its own. */
import { expect, it } from 'vitest';
import { type ConnectorSource, discovered } from '../src/client/paths/connector-source.ts';

it('is there before its program has been removed: the read does not wait for that', async () => {
  const stream = { name: 'sales', json_schema: {}, supported_sync_modes: ['full_refresh'] };
  const line = `${JSON.stringify({ type: 'CATALOG', catalog: { streams: [stream] } })}\n`;
  let asked = 0;
  const program = {
    output: (async function* () {
      yield Buffer.from(line);
    })(),
    ended: Promise.resolve({
      exitCode: 0,
      outputBytes: line.length,
      report: { outputBytes: line.length, cpuUs: 1, maxRssBytes: 1 },
    }),
    // As a pod that takes its time.
    stop: () => {
      asked++;
      return new Promise<void>(() => {});
    },
  };
  const launcher = { launch: async () => program } as unknown as Parameters<typeof discovered>[0];
  const source: ConnectorSource = { store: 'postgresql', config: {} };
  const options = { cachedDiscovery: false, warm: false };
  const { streams } = await discovered(launcher, source, options, new AbortController().signal);
  expect(streams.map(({ stream: { name } }) => name)).toEqual(['sales']);
  expect(asked).toBe(1);
}, 5000);
