/** A connector whose output is no protocol: the cause is reported, not that its program was stopped for it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadTable, storeSalesData } from '@topo-bench/sources';
import { expect, it, onTestFinished } from 'vitest';
import { reportLine } from '../../connectors/test/fixtures/inner-parts.ts';
import { PartClock } from '../src/client/part-clock.ts';
import { openConnector } from '../src/client/paths/connector.ts';
import { RowCheck } from '../src/client/row-check.ts';

const stream = { name: 'sales', json_schema: { type: 'object', properties: {} }, supported_sync_modes: [] };
const catalog = `${JSON.stringify({ type: 'CATALOG', catalog: { streams: [stream] } })}\n`;

/** @param read what the program does for `read` */
async function failureOf(read: string): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'topo-bench-connector-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const found = JSON.stringify(catalog + reportLine(Buffer.byteLength(catalog), {}));
  writeFileSync(
    join(folder, 'connector.js'),
    `process.stdin.resume().on('end', () => process.exit(143));
    if (process.argv[3] === 'discover') process.stdout.write(${found}, () => process.exit(0));
    else { ${read} }`,
  );
  const table = { kind: 'parquet', file: join(folder, 'sales.parquet') } as const;
  await loadTable(table, storeSalesData({ rows: 10, seed: 1 }));
  const options = { query: 'all', batchRows: 100, connections: 1, cachedDiscovery: false, warm: false } as const;
  const path = await openConnector({
    table,
    settings: { variant: 'connector-process', ...options, compression: 'none' },
    launch: { place: 'process', builtFolder: folder },
  });
  onTestFinished(() => path.close());
  const clock = new PartClock();
  const tools = { clock, check: new RowCheck(clock), signal: new AbortController().signal, limitRows: undefined };
  return path.read(tools).catch((error: unknown) => error);
}

it('is the text that is no message, while the program keeps running', { timeout: 20_000 }, async () => {
  expect(await failureOf(`process.stdout.write('no message\\n');`)).toMatchObject({
    code: 'TB_CONNECTOR_FAILED',
    message: expect.stringMatching(/no message|JSON/),
  });
});

it('is the end of a program that ended by itself', { timeout: 20_000 }, async () => {
  expect(await failureOf('process.exit(7);')).toMatchObject({
    code: 'TB_CONNECTOR_FAILED',
    message: expect.stringContaining('ended with exit code 7'),
  });
});
