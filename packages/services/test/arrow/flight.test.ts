/** A service with columns over Arrow Flight: the rules hold on every way in and out as on HTTP, and count the same. */
import { once } from 'node:events';
import { connect } from 'node:http2';
import { FlightClient, readFlight } from '@topo-bench/arrow-flight';
import { type RecordBatch, Table, tableFromArrays, tableFromIPC } from 'apache-arrow';
import { afterEach, expect, test, vi } from 'vitest';
import { deploy, type RuleParts, type TestDeployment, type TopologyParts, testGraph } from '../fixtures/deployment.ts';

const rows = 3000;
const arrow = {
  rows,
  batchRows: 500,
  columns: [
    { name: 'id', type: 'int64' as const },
    { name: 'region', type: 'text' as const, values: ['eu', 'us'] },
    { name: 'email', type: 'text' as const, category: 'personal', size: '20B' },
  ],
  facts: { origin: 'region' },
  flight: { endpoints: 3 },
};
const rules: RuleParts = {
  rules: [
    {
      id: 'eu-stays',
      when: { fact: 'request', path: '$.origin', operator: 'equal', value: 'eu' },
      effect: 'deny',
    },
    {
      id: 'no-addresses',
      when: { fact: 'request', path: '$.payload.id', operator: 'lessThan', value: 1000 },
      effect: 'redact',
      redact: { remove: ['/email'] },
    },
    {
      id: 'no-advertising',
      when: { fact: 'request', path: '$.purpose', operator: 'equal', value: 'advertising' },
      effect: 'deny',
    },
  ],
};

/** What clients present. */
let token = '';
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(
  parts: Partial<TopologyParts> = {},
  withRules?: RuleParts,
  { login, ...flight }: { login?: { user: string; password: string } } & object = arrow.flight,
): Promise<TestDeployment & { client: FlightClient }> {
  const nodes = [{ name: 'us-1', region: 'us' }];
  const services = [
    { name: 'orders', node: 'us-1', arrow: { ...arrow, flight: { ...flight, ...(login && { login }) } } },
    { name: 'plain', node: 'us-1' },
  ];
  const deployment = await deploy(testGraph({ nodes, services, ...parts }, withRules));
  const client = new FlightClient(deployment.flightUrls.orders as string);
  closing.push(deployment.close, () => client.close(0));
  token = deployment.configs[0]?.secrets.clientToken ?? '';
  if (!login) await client.authenticateBasic('client', token);
  return { ...deployment, client };
}

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

const json = (bytes: Uint8Array | undefined): unknown => JSON.parse(Buffer.from(bytes ?? []).toString());
const rowsOf = (batches: RecordBatch[]): unknown[] =>
  new Table(batches)
    .toArray()
    .map((row) => row.toJSON())
    .sort((a, b) => Number(a.id - b.id));

async function overHttp(url: string): Promise<unknown[]> {
  return rowsOf(
    tableFromIPC(
      new Uint8Array(await (await fetch(`${url}/arrow`, { headers: { 'x-topo-token': token } })).arrayBuffer()),
    ).batches,
  );
}

test('the flight has the requested number of parts, and together they are the table that HTTP serves', async () => {
  const { client, urls, flightUrls } = await start();
  expect(flightUrls.plain).toBeUndefined();
  const [listed] = await all(client.listFlights());
  expect(listed).toMatchObject({ descriptor: { path: ['orders'] }, totalRecords: rows });
  expect(listed?.endpoints).toHaveLength(3);
  const info = await client.getFlightInfo({ command: Buffer.from('{"endpoints":6}') });
  expect(info.endpoints).toHaveLength(6);
  expect(String(await client.getSchema({ path: ['orders'] }))).toBe(String(info.schema));
  const batches = await all(readFlight(client, info));
  expect(rowsOf(batches)).toEqual(await overHttp(urls.orders as string));
});

test('rules decide rows and columns of a flight as over HTTP, and every decision counts', async () => {
  const { client, urls, stats } = await start({ enforcement: { architecture: 'sidecar' } }, rules);
  const info = await client.getFlightInfo({ path: ['orders'] });
  expect(info.totalRecords).toBe(-1);
  const passed = rowsOf(await all(readFlight(client, info))) as { region: string; email: string | null; id: bigint }[];
  const flight = await stats('orders');
  expect(passed).toEqual(await overHttp(urls.orders as string));
  expect(passed.every(({ region }) => region === 'us')).toBe(true);
  expect(passed.every(({ id, email }) => (email === null) === id < 1000n)).toBe(true);
  const redacted = passed.filter(({ email }) => email === null).length;
  expect(flight.decisions).toEqual({
    deny: rows - passed.length,
    redact: redacted,
    allow: passed.length - redacted,
    reroute: 0,
  });
  expect(flight.columns).toMatchObject({ rows, exposureBytes: { personal: 20 * (rows - passed.length + redacted) } });
  expect(flight.served).toBe(3);
});

test('a flight for a purpose that the rules refuse is denied as a whole, by every verb', async () => {
  const { client } = await start({ enforcement: { architecture: 'sidecar' } }, { rules: rules.rules.slice(2) });
  const command = Buffer.from('{"purpose":"advertising"}');
  const denied = { status: 'permission-denied', message: expect.stringContaining('no-advertising') };
  await expect(client.getFlightInfo({ command })).rejects.toMatchObject(denied);
  const ticket = Buffer.from(JSON.stringify({ service: 'orders', part: 0, parts: 1, purpose: 'advertising' }));
  await expect(client.doGet(ticket)).rejects.toMatchObject(denied);
  const schema = await client.getSchema({ path: ['orders'] });
  const writer = await client.doPut({ command }, schema);
  await expect(writer.finish()).rejects.toMatchObject(denied);
});

test('uploads and exchanges go through the same rules', async () => {
  const open = await start();
  const raw = await all(readFlight(open.client, await open.client.getFlightInfo({ path: ['orders'] })));
  const { client, urls, stats } = await start({ enforcement: { architecture: 'sidecar' } }, rules);
  const expected = await overHttp(urls.orders as string);
  const { decisions } = await stats('orders');
  const schema = (raw[0] as RecordBatch).schema;

  const writer = await client.doPut({ path: ['orders'] }, schema);
  for (const batch of raw) await writer.write(batch, Buffer.from('how many?'));
  const acknowledged = (await writer.finish()).map(json);
  expect(acknowledged).toHaveLength(raw.length + 1);
  expect(acknowledged.at(-1)).toMatchObject({ taken: rows, passed: expected.length });

  const exchange = await client.doExchange({ path: ['orders'] });
  await exchange.begin(schema);
  for (const batch of raw) await exchange.write(batch, Buffer.from('beside'));
  exchange.end();
  const answers = await all(exchange.chunks());
  expect(answers.every(({ appMetadata }) => Buffer.from(appMetadata ?? []).toString() === 'beside')).toBe(true);
  expect(rowsOf(answers.flatMap(({ batch }) => batch ?? []))).toEqual(expected);

  const thrice = Object.entries(decisions).map(([effect, count]) => [effect, 3 * count]);
  expect((await stats('orders')).decisions).toEqual(Object.fromEntries(thrice));
});

test('invalid requests are refused with the expected values', async () => {
  const { client } = await start();
  for (const ticket of [
    'none',
    '{}',
    '{"service":"orders","part":3,"parts":3}',
    '{"service":"plain","part":0,"parts":1}',
  ]) {
    await expect(client.doGet(Buffer.from(ticket))).rejects.toMatchObject({ status: 'not-found' });
  }
  await expect(client.getFlightInfo({ path: ['others'] })).rejects.toMatchObject({ status: 'not-found' });
  for (const command of ['[]', '{"endpoints":0}', '{"purpose":1}', '{"other":1}']) {
    await expect(client.getFlightInfo({ command: Buffer.from(command) })).rejects.toMatchObject({
      status: 'invalid-argument',
    });
  }
  const writer = await client.doPut({ path: ['orders'] }, tableFromArrays({ id: Int32Array.of(1) }).schema);
  await expect(writer.finish()).rejects.toMatchObject({
    status: 'invalid-argument',
    message: expect.stringContaining('expected id: Int64, region: Utf8, email: Utf8'),
  });
});

test('callers log in if the topology requires it, with a password from the environment', async () => {
  vi.stubEnv('TEST_FLIGHT_PASSWORD', 'sécret');
  try {
    const login = { user: 'ada', password: 'env TEST_FLIGHT_PASSWORD' };
    const { client } = await start({}, undefined, { login });
    await expect(all(client.listFlights())).rejects.toMatchObject({ status: 'unauthenticated' });
    await client.authenticateBasic('ada', 'sécret');
    expect(await all(client.listFlights())).toHaveLength(1);
    vi.unstubAllEnvs();
    await expect(start({}, undefined, { login })).rejects.toThrow('TEST_FLIGHT_PASSWORD is not set');
  } finally {
    vi.unstubAllEnvs();
  }
});

test('every verb of Flight requires a login, unless the service is open', async () => {
  const services = [
    { name: 'orders', node: 'us-1', arrow },
    { name: 'published', node: 'us-1', arrow: { ...arrow, open: true } },
  ];
  const { flightUrls, configs } = await start({ services, enforcement: { architecture: 'sidecar' } }, rules);
  const stranger = new FlightClient(flightUrls.orders as string);
  const anyone = new FlightClient(flightUrls.published as string);
  closing.push(
    () => stranger.close(0),
    () => anyone.close(0),
  );
  const refused = { status: 'unauthenticated' };
  const ticket = Buffer.from(JSON.stringify({ service: 'orders', part: 0, parts: 1 }));
  await expect(all(stranger.listFlights())).rejects.toMatchObject(refused);
  await expect(stranger.getFlightInfo({ path: ['orders'] })).rejects.toMatchObject(refused);
  await expect(stranger.getSchema({ path: ['orders'] })).rejects.toMatchObject(refused);
  await expect(stranger.doGet(ticket)).rejects.toMatchObject(refused);
  const own = configs.find(({ name }) => name === 'orders')?.secrets.token as string;
  for (const [user, password] of [
    ['client', ''],
    ['client', own],
    ['orders', token],
  ] as const) {
    await expect(stranger.authenticateBasic(user, password)).rejects.toMatchObject(refused);
  }
  expect(await all(anyone.listFlights())).toHaveLength(1);
});

test('an open service on loopback refuses calls to a foreign name, and one with a login does not', async () => {
  const services = [
    { name: 'orders', node: 'us-1', arrow },
    { name: 'published', node: 'us-1', arrow: { ...arrow, open: true } },
  ];
  const { flightUrls } = await start({ services });
  const statusOf = async (service: string, authority: string): Promise<number> => {
    const session = connect((flightUrls[service] as string).replace('grpc+tcp', 'http'));
    closing.push(async () => session.destroy());
    const call = session.request({
      ':method': 'POST',
      ':path': '/arrow.flight.protocol.FlightService/ListFlights',
      ':authority': authority,
      'content-type': 'application/grpc',
    });
    const [answer] = await once(call.end(), 'response');
    return answer[':status'];
  };
  expect(await statusOf('published', 'evil.example:8815')).toBe(421);
  expect(await statusOf('published', 'localhost:1')).toBe(200);
  expect(await statusOf('orders', 'evil.example:8815')).toBe(200);
});
