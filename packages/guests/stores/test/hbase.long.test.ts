/** One HBase cluster for all tests: what only HBase has, errors of its addresses, and its end with its owner. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, request as newRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { childrenOf, eventually, isAlive } from '../../../host/test/fixtures/processes.ts';
import { findServer } from '../src/hbase/server.ts';
import { createHeatMap, type HeatMap, openHeatMap, removeHeatMap } from '../src/heat-map/index.ts';
import type { SumsStore } from '../src/heat-map/owned-sums.ts';
import { startServer } from '../src/servers/start-server.ts';

vi.setConfig({ hookTimeout: 240_000 });

let missing: string | undefined;
/** Has started the cluster. */
let owner: ChildProcess;
let pid: number;
let url: string;

beforeAll(async () => {
  missing = await reasonWithoutServer();
  if (missing !== undefined) return;
  const script = fileURLToPath(new URL('fixtures/start-and-wait.ts', import.meta.url));
  owner = fork(script, ['hbase'], { execArgv: ['--import', 'tsx'], stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const [line] = await once(owner.stdout!, 'data');
  ({ pid, url } = JSON.parse(String(line)) as { pid: number; url: string });
});

beforeEach(({ skip }) => skip(missing !== undefined, missing));

afterAll(() => void owner?.kill('SIGKILL'));

/** In CI a missing server is an error. */
async function reasonWithoutServer(): Promise<string | undefined> {
  if (await findServer()) return undefined;
  const reason = 'no HBase: set HBASE_HOME to a folder with its jars in lib';
  if (process.env.CI) throw new Error(reason);
  return reason;
}

const june = Date.UTC(2022, 5, 1);
const entry = (cell: number, crossings: number, timeMs: number) => ({ cell, crossings, timeMs });
const rowOf = (cell: number, crossings: number, timeMs: number) => ({
  count: 1,
  cells: Float64Array.of(cell),
  crossings: Float64Array.of(crossings),
  timesMs: Float64Array.of(timeMs),
});

async function opened(live: string): Promise<HeatMap & SumsStore> {
  const heatMap = await openHeatMap({ engine: 'hbase', url: live, connections: 2, timeoutMs: 20_000 });
  onTestFinished(() => heatMap.close());
  return heatMap as HeatMap & SumsStore;
}

async function created(name: string): Promise<string> {
  onTestFinished(() => removeHeatMap({ engine: 'hbase', url, name }));
  return createHeatMap({ engine: 'hbase', url, name });
}

interface Answered {
  status: number;
  text: string;
}

/**
 * A proxy in front of the REST server.
 * @param answer what becomes of a request, with its path and login
 * @returns its address with a login
 */
async function proxied(
  answer: (forward: () => Promise<Answered>, path: string, login: string | undefined) => Promise<Answered>,
): Promise<(login: string) => string> {
  const { hostname: host, port } = new URL(url);
  const server = createServer(async (request, response) => {
    const path = request.url as string;
    const { accept, 'content-type': type, authorization } = request.headers;
    const headers = { accept, ...(type && { 'content-type': type }) };
    const body = await textOf(request);
    const forward = async () => {
      const forwarded = newRequest({ host, port, path, method: request.method, headers }).end(body);
      const [answered] = await once(forwarded, 'response');
      return { status: answered.statusCode as number, text: await textOf(answered) };
    };
    const login = authorization && Buffer.from(authorization.replace('Basic ', ''), 'base64').toString();
    const { status, text } = await answer(forward, path, login);
    response.writeHead(status).end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (login) => `hbase://${login}127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe('a heat map on hbase', () => {
  it('hides a sum that arrives after a newer one, also of the same event time', async () => {
    const heatMap = await opened(await created('late'));
    await heatMap.write('0/1', [entry(7, 5, june), entry(8, 9, june + 10)]);
    await heatMap.write('0/1', [entry(7, 2, june), entry(8, 4, june)]);
    expect(await heatMap.readMany([7, 8])).toEqual([entry(7, 5, june), entry(8, 9, june + 10)]);
    // The older time of cell 8 is still there as a version, and no other.
    expect(await heatMap.range(june, june + 1)).toEqual([entry(7, 5, june)]);
    await heatMap.write('1/1', [entry(7, 1, june + 20)]);
    expect(await heatMap.range(june, june + 11)).toEqual([entry(8, 9, june + 10)]);
    expect(await heatMap.range(june + 20, june + 21)).toEqual([entry(7, 6, june + 20)]);
  });

  it('adds rows once when the REST server repeats the write of their checkpoint', async () => {
    const live = await created('repeated');
    let repeated = 0;
    const proxy = await proxied(async (forward, path) => {
      const first = await forward();
      if (!path.includes('check=put') || first.status !== 200) return first;
      repeated++;
      return forward();
    });
    const heatMap = await opened(live.replace(url, proxy('')));
    const { owner } = await heatMap.claim(0);
    await heatMap.add(rowOf(7, 2, june), { partition: 0, position: 5, state: 'a', owner });
    await heatMap.add(rowOf(7, 3, june + 1), { partition: 0, position: 10, state: 'b', owner });
    expect(repeated).toBe(3);
    expect(await (await opened(live)).read(7)).toEqual(entry(7, 5, june + 1));
    expect(await heatMap.checkpoint(0)).toEqual({ partition: 0, position: 10, state: 'b' });
  });

  it('has one owner when two processes claim at the same time', async () => {
    const live = await created('claims');
    const all = await Promise.all(Array.from({ length: 5 }, () => opened(live)));
    const claims = await Promise.all(all.map((heatMap) => heatMap.claim(0)));
    expect(claims.map(({ owner }) => owner).sort()).toEqual([1, 2, 3, 4, 5]);
    const adds = claims.map(({ owner }, i) =>
      all[i]!.add(rowOf(7, 1, june), { partition: 0, position: i, state: '', owner }),
    );
    const codes = await Promise.all(
      adds.map((add) =>
        add.then(
          () => 'added',
          ({ code }) => code as string,
        ),
      ),
    );
    expect(codes.filter((code) => code !== 'TB_STORE_CLAIMED')).toEqual(['added']);
    expect(await all[0]!.read(7)).toEqual(entry(7, 1, june));
  });

  it('has the rows of a job that died after it saved their checkpoint, once the next job claims it', async () => {
    const live = await created('died');
    const [first, second] = [await opened(live), await opened(live)];
    const { owner } = await first.claim(1);
    await first.add(rowOf(7, 2, june), { partition: 1, position: 5, state: 'a', owner });
    // The end of a process between the record of the partition and its rows.
    const dies = vi.spyOn(first, 'write').mockRejectedValueOnce(new Error('died'));
    await expect(first.add(rowOf(7, 3, june), { partition: 1, position: 10, state: 'b', owner })).rejects.toThrow(
      'died',
    );
    dies.mockRestore();
    expect(await second.read(7)).toEqual(entry(7, 2, june));
    expect(await second.claim(1)).toEqual({ owner: owner + 1, checkpoint: { partition: 1, position: 10, state: 'b' } });
    expect(await second.read(7)).toEqual(entry(7, 5, june));
    const late = first.add(rowOf(7, 9, june), { partition: 1, position: 12, state: '', owner });
    await expect(late).rejects.toMatchObject({ code: 'TB_STORE_CLAIMED' });
  });

  it('rejects writes of a job on an earlier heat map of its name', async () => {
    const earlier = await opened(await created('again'));
    const { owner } = await earlier.claim(0);
    const now = await opened(await created('again'));
    expect(await now.claim(0)).toEqual({ owner, checkpoint: undefined });
    const checkpoint = { partition: 0, position: 5, state: 'a', owner };
    const late = { code: 'TB_STORE_UNAVAILABLE', message: expect.stringContaining('does not exist any more') };
    await expect(earlier.add(rowOf(7, 2, june), checkpoint)).rejects.toMatchObject(late);
    await expect(earlier.write('0/1', [entry(7, 2, june)])).rejects.toMatchObject(late);
    await expect(earlier.read(7)).rejects.toMatchObject(late);
    await expect(earlier.range(0, june)).rejects.toMatchObject(late);
    await now.add(rowOf(7, 5, june), checkpoint);
    expect(await now.read(7)).toEqual(entry(7, 5, june));
  });
});

describe('an address of an HBase REST server', () => {
  const named = (address: string) => startServer({ engine: 'hbase', flags: { hbase: address } });

  it('is reported without its password when nothing answers there', async () => {
    await expect(named('hbase://ann:tell-nobody@127.0.0.1:1/')).rejects.toMatchObject({
      code: 'TB_STORE_UNREACHABLE',
      exitCode: 3,
      message:
        'the hbase server (named by --hbase-url) does not answer: tried hbase://127.0.0.1:1, and the connection was refused: nothing listens there',
      hint: 'start the server, or correct host and port',
    });
  });

  it('is reported when another server answers there', async () => {
    const other = createServer((_, response) => void response.writeHead(404).end('no such page')).listen(
      0,
      '127.0.0.1',
    );
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    await expect(named(`hbase://127.0.0.1:${(other.address() as AddressInfo).port}/`)).rejects.toMatchObject({
      code: 'TB_STORE_UNREACHABLE',
      message: expect.stringContaining('HTTP 404: no such page'),
    });
  });

  it('is used with its login, and a wrong one is reported without the password', async () => {
    const unauthorized = { status: 401, text: 'Unauthorized' };
    const proxy = await proxied(async (forward, _, login) => (login === 'ann:p@ss' ? forward() : unauthorized));
    expect(await named(proxy('ann:p%40ss@'))).toMatchObject({ origin: 'connection-string', pid: undefined });
    for (const login of ['ann:tell-nobody@', '']) {
      const refused = named(proxy(login));
      await expect(refused, login).rejects.toMatchObject({ code: 'TB_STORE_LOGIN', exitCode: 3 });
      await expect(refused).rejects.not.toThrow(/tell-nobody/);
    }
  });

  it('is required where neither HBASE_HOME nor an address is there', async () => {
    vi.stubEnv('HBASE_HOME', '');
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(startServer({ engine: 'hbase' })).rejects.toMatchObject({
      code: 'TB_STORE_NO_SERVER',
      exitCode: 3,
      hint: 'specify one with --hbase-url or TOPO_BENCH_HBASE_URL, or set HBASE_HOME to the folder of HBase 2, and put java on the PATH or set JAVA_HOME',
    });
  });

  it('is required where an image is named: there is no official one', async () => {
    await expect(startServer({ engine: 'hbase', image: 'some/hbase:2' })).rejects.toMatchObject({
      code: 'TB_STORE_NO_SERVER',
      exitCode: 3,
      message: 'HBase has no official container image, and others differ',
      hint: expect.stringContaining('--hbase-url'),
    });
  });
});

// Last: it ends the cluster.
it('an HBase cluster ends with its REST server and its data when its owner is killed', async () => {
  const [shell] = childrenOf(pid);
  const [rest] = childrenOf(shell as number);
  const commands = [pid, rest].map((one) => isAlive(one as number));
  expect(commands).toEqual([true, true]);
  // Other files have clusters too.
  const [folder = ''] = /\/[^:\0]*topo-bench-hbase-[^/:\0]+/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? [];
  expect(existsSync(folder)).toBe(true);
  owner.kill('SIGKILL');
  await eventually(() => !isAlive(pid) && !isAlive(rest as number) && !existsSync(folder));
});
