/** The bare client of HBase's REST interface: Node.js's own HTTP, on one connection. */
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { encode, rowsToWrite } from '@topo-bench/stores/hbase/rows';
import type { BareDriver } from './bare-driver.ts';
import { newRecord, WriterSums } from './writer-sums.ts';

const rowsPerRequest = 2000;
const column = encode('r:record');

export async function hbase(url: string): Promise<BareDriver> {
  const { hostname, port, username, password, pathname: table } = new URL(url);
  const auth = username === '' ? undefined : [username, password].map(decodeURIComponent).join(':');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const put = (path: string, body: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const headers = { accept: 'application/json', 'content-type': 'application/json' };
      const sent = request({ hostname, port, auth, agent, method: 'PUT', path, headers }, async (answer) => {
        const reason = await text(answer);
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`PUT ${path}: HTTP ${answer.statusCode}: ${reason}`));
      });
      sent.on('error', reject).end(body);
    });
  const sums = new WriterSums();
  const records = new Map<number, string>();
  return {
    async write({ rows, checkpoint }) {
      const key = `partition-${checkpoint.partition}`;
      const entries = sums.of(rows);
      const after = newRecord(checkpoint, entries);
      const cells = [after, records.get(checkpoint.partition) ?? ''].map((value) => ({ column, $: encode(value) }));
      await put(`${table}/${key}?check=put`, JSON.stringify({ Row: [{ key: encode(key), Cell: cells }] }));
      records.set(checkpoint.partition, after);
      for (let at = 0; at < entries.length; at += rowsPerRequest)
        await put(`${table}/rows`, rowsToWrite('bench', entries.slice(at, at + rowsPerRequest)));
      sums.keep(entries);
    },
    close: async () => agent.destroy(),
  };
}
