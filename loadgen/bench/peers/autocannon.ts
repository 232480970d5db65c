/** autocannon in its rate mode (`-R`), with its own correction for coordinated omission. It reports p97.5 but no p95. */
import { createRequire } from 'node:module';
import { output, type Peer } from './peer.ts';

const script = createRequire(import.meta.url).resolve('autocannon/autocannon.js');

export const autocannonPeer: Peer = {
  name: 'autocannon -R',
  async run({ url, rateRps, seconds, body, connections }) {
    const args = [script, '--json', '-R', String(rateRps), '-c', String(connections), '-d', String(seconds)];
    const json = await output(process.execPath, [...args, '-m', 'POST', '-b', body, url], seconds);
    const { latency } = JSON.parse(json) as { latency: Record<string, number> };
    const us = (key: string): number => (latency[key] ?? Number.NaN) * 1e3;
    return { p50: us('p50'), p95: Number.NaN, p99: us('p99'), p999: us('p99_9') };
  },
};
