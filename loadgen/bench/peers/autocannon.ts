/**
 * autocannon in its rate mode (`-R`), with its own correction for coordinated omission. It reports p97.5 but no p95.
 */
import { createRequire } from 'node:module';
import { output, type Peer, warmUpSeconds } from './peer.ts';

const script = createRequire(import.meta.url).resolve('autocannon/autocannon.js');

export const autocannonPeer: Peer = {
  name: 'autocannon -R',
  async run({ url, rateRps, seconds, body, connections }) {
    const args = [script, '--json', '-R', String(rateRps), '-c', String(connections), '-d', String(seconds)];
    const warmUp = [
      '--warmup',
      '[',
      '-c',
      String(connections),
      '-d',
      String(warmUpSeconds),
      '-R',
      String(rateRps),
      ']',
    ];
    const json = await output(process.execPath, [...args, ...warmUp, '-m', 'POST', '-b', body, url], seconds);
    // One line for the warm-up, one for the load.
    const { latency, '2xx': requests } = JSON.parse(json.trim().split('\n').at(-1) as string) as {
      latency: Record<string, number>;
      '2xx': number;
    };
    const us = (key: string): number => (latency[key] ?? Number.NaN) * 1e3;
    return { measured: { p50: us('p50'), p95: Number.NaN, p99: us('p99'), p999: us('p99_9') }, requests };
  },
};
