/**
 * pyarrow reads the same from `/arrow` as from the JSON of the resource: plain, compressed, and as rules leave
 * it.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Decision } from '@topo-bench/core';
import { afterEach, describe, expect, it } from 'vitest';
import { missingModule, runPython } from '../../../../libraries/arrow-flight/test/fixtures/python.ts';
import { GovernedStream } from '../../src/governance/governed-stream.ts';
import { type ArrowSource, answerArrow } from '../../src/http/arrow-resource.ts';
import { SeededTable } from '../../src/table/seeded-table.ts';

const missing = missingModule('pyarrow');
const common = { category: 'none', nulls: 0.2, size: 20, values: undefined };
const table = new SeededTable(
  {
    rows: 2500,
    batchRows: 1000,
    columns: [
      { ...common, name: 'id', type: 'int64' },
      { ...common, name: 'small', type: 'int32' },
      { ...common, name: 'amount', type: 'float64' },
      { ...common, name: 'paid', type: 'bool' },
      { ...common, name: 'at', type: 'timestamp' },
      { ...common, name: 'region', type: 'text', values: ['eu', 'us', 'åland'] },
      { ...common, name: 'consents', type: 'texts', values: ['analytics', 'marketing'] },
      { ...common, name: 'email', type: 'text' },
      { ...common, name: 'customer', type: 'text' },
    ],
    facts: { class: 'row', purpose: 'contract' },
  },
  'svc-1',
  7,
);
const schema = {
  ...{ id: 'int64', small: 'int32', amount: 'double', paid: 'bool', at: 'timestamp[ms, tz=UTC]', region: 'string' },
  ...{ consents: 'list<item: string not null>', email: 'string', customer: 'string' },
};

const whole = (): ArrowSource => ({ schema: table.schema, batches: (signal) => table.batches(signal) });

/** Refuses rows of the EU, and takes values of every kind of column from those of the US. */
function governed(): ArrowSource {
  const decide = ({ origin }: { origin: string }): Decision => {
    const remove = origin === 'us' ? ['/id', '/small', '/paid', '/at', '/consents', '/email'] : [];
    const pseudonymise = origin === 'us' ? ['/customer'] : [];
    const effect = origin === 'eu' ? 'deny' : origin === 'us' ? 'redact' : 'allow';
    return { effect, rule: 'r', ruleIndex: 0, rules: ['r'], remove, pseudonymise, to: undefined };
  };
  const facts = { class: 'row', purpose: 'contract', origin: 'region', consents: undefined, categories: {} };
  const asks = { origin: true, consents: false, payload: [] };
  const rules = {
    decide,
    asks,
    refusal: () => undefined,
    mayPseudonymise: ['/customer'],
    pseudonym: (value: unknown) => `pseudonym of ${value}`,
  };
  const stream = new GovernedStream(table.schema, facts, rules);
  return {
    schema: stream.schema,
    async *batches(signal) {
      for await (const batch of table.batches(signal)) {
        const passed = stream.apply(batch);
        if (passed) yield passed;
      }
    },
  };
}

let server: Server | undefined;
afterEach(() => server?.close().closeAllConnections());

async function serve(open: () => ArrowSource): Promise<string> {
  server = createServer((request, response) => void answerArrow(request, response, open));
  await new Promise<void>((resolve) => void server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/arrow`;
}

interface Read {
  schema: Record<string, string>;
  rows: Record<string, unknown>[];
}

describe.skipIf(missing)(`pyarrow over HTTP ${missing ?? ''}`, () => {
  it.each([
    ['the table as it is', whole, ''],
    ['the table in LZ4', whole, 'lz4'],
    ['the table in ZSTD', whole, 'zstd'],
    ['what rules leave', governed, ''],
    ['what rules leave in LZ4', governed, 'lz4'],
  ] as const)('reads the same values in %s as in JSON', async (_, open, codec) => {
    const url = await serve(open);
    const json = (await (await fetch(url, { headers: { accept: 'application/json' } })).json()) as Read['rows'];
    const read = await runPython<Read>(new URL('read_http.py', import.meta.url).pathname, url, codec);
    expect(read.schema).toEqual(schema);
    expect(read.rows).toEqual(json);
    const regions = new Set(json.map(({ region }) => region));
    expect(regions.has('eu')).toBe(open === whole);
    expect(json.some(({ customer }) => String(customer).startsWith('pseudonym of'))).toBe(open === governed);
  });
});
