/**
 * The memory of governed batches is used again for later ones, also of other streams. A slow reader must get the
 * values of its own batch, which are computed here from the table without rules.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { FlightClient, type FlightEndpoint, messageMemory } from '@topo-bench/arrow-flight';
import type { RecordBatch } from 'apache-arrow';
import { afterEach, expect, test, vi } from 'vitest';
import { deploy, type RuleParts, type TestDeployment, testGraph } from '../fixtures/deployment.ts';

const endpoints = 3;
const batchRows = 8000;
const rows = 120_000;
const arrow = {
  rows,
  batchRows,
  columns: [
    { name: 'id', type: 'int64' as const },
    { name: 'region', type: 'text' as const, values: ['eu', 'us'] },
    { name: 'email', type: 'text' as const, category: 'personal', size: '20B' },
    { name: 'code', type: 'int64' as const, category: 'personal' },
  ],
  facts: { origin: 'region' },
  flight: { endpoints },
};
const ofEu = { fact: 'request', path: '$.origin', operator: 'equal', value: 'eu' };
const redaction: RuleParts = {
  rules: [{ id: 'no-addresses', when: ofEu, effect: 'redact', redact: { remove: ['/email', '/code'] } }],
};
const denial: RuleParts = { rules: [{ id: 'eu-stays', when: ofEu, effect: 'deny' }] };

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(rules: RuleParts | undefined, windows?: { streamBytes: number; connectionBytes: number }) {
  const nodes = [{ name: 'us-1', region: 'us' }];
  const deployment: TestDeployment = await deploy(
    testGraph(
      { nodes, services: [{ name: 'orders', node: 'us-1', arrow }], enforcement: { architecture: 'sidecar' } },
      rules,
    ),
  );
  const client = new FlightClient(deployment.flightUrls.orders as string, windows ? { windows } : {});
  closing.push(deployment.close, () => client.close(0));
  await client.authenticateBasic('client', deployment.configs[0]?.secrets.clientToken ?? '');
  return client;
}

type Row = Record<'id' | 'region' | 'email' | 'code', unknown>;

/** What `change` makes of each row, as one digest by batch. */
function digestOf(batch: RecordBatch, change: (row: Row) => Row | undefined): string {
  const hash = createHash('sha256');
  const [id, region, email, code] = ['id', 'region', 'email', 'code'].map((name) => batch.getChild(name));
  const lines: string[] = [];
  for (let i = 0; i < batch.numRows; i++) {
    const row = change({ id: id?.get(i), region: region?.get(i), email: email?.get(i), code: code?.get(i) });
    if (row) lines.push(`${row.id} ${row.region} ${row.email} ${row.code}`);
  }
  return hash.update(lines.join('\n')).digest('hex');
}

async function digests(
  client: FlightClient,
  change: (row: Row) => Row | undefined,
  pauseMs: number,
): Promise<string[][]> {
  const info = await client.getFlightInfo({ path: ['orders'] });
  const read = async ({ ticket }: FlightEndpoint): Promise<string[]> => {
    const found: string[] = [];
    for await (const batch of await client.doGet(ticket)) {
      if (pauseMs > 0) await sleep(pauseMs);
      found.push(digestOf(batch, change));
    }
    return found;
  };
  return Promise.all(info.endpoints.map(read));
}

const unchanged = (row: Row): Row => row;
const redacted = (row: Row): Row => (row.region === 'eu' ? { ...row, email: null, code: null } : row);
const withoutEu = (row: Row): Row | undefined => (row.region === 'eu' ? undefined : row);

for (const { name, rules, change } of [
  { name: 'redacted', rules: redaction, change: redacted },
  { name: 'filtered', rules: denial, change: withoutEu },
]) {
  test(`slow readers of ${name} batches get the values of each batch, whatever memory they are in`, async () => {
    const expected = await digests(await start(undefined), change, 0);
    expect(expected.flat()).toHaveLength(rows / batchRows);
    const release = vi.spyOn(messageMemory, 'release');
    // One frame of each stream; then as much as queues and sockets take.
    const windows = { streamBytes: 16_384, connectionBytes: 65_535 };
    expect(await digests(await start(rules, windows), unchanged, 0)).toEqual(expected);
    expect(await digests(await start(rules), unchanged, 25)).toEqual(expected);
    // The readers own their batches, so what is released is the service's.
    expect(release.mock.calls.length).toBeGreaterThan((2 * rows) / batchRows);
  });
}
