/** A user-supplied Ignite cluster with a password: errors for a wrong address, a wrong login and a lost heat map. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHeatMap, openHeatMap } from '../src/heat-map/index.ts';
import type { SumsStore } from '../src/heat-map/owned-sums.ts';
import { startServer } from '../src/servers/start-server.ts';
import { type IgniteOnDisk, missingIgnite, startIgniteOnDisk } from './fixtures/ignite-on-disk.ts';

// Java compiles the program of the node before it starts.
vi.setConfig({ hookTimeout: 240_000 });

let missing: string | undefined;
let cluster: IgniteOnDisk;

beforeAll(async () => {
  missing = await missingIgnite();
  if (missing === undefined) cluster = await startIgniteOnDisk();
});

beforeEach(({ skip }) => skip(missing !== undefined, missing));

afterAll(() => cluster?.stop());

const named = (url: string) => startServer({ engine: 'ignite', flags: { ignite: url } });

describe('a user-supplied Ignite cluster', () => {
  it('is reported without its password when nothing answers at its address', async () => {
    await expect(named('ignite://ann:tell-nobody@127.0.0.1:1/')).rejects.toMatchObject({
      code: 'TB_STORE_UNREACHABLE',
      exitCode: 3,
      message:
        'the ignite server (named by --ignite-url) does not answer: tried ignite://127.0.0.1:1, and the connection was refused: nothing listens there',
    });
  });

  it.each([
    ['a wrong password', 'ignite:tell-nobody@', 'got user ignite with a password'],
    ['an unknown user', 'ann:tell-nobody@', 'got user ann with a password'],
    ['no user', '', 'got no user without a password'],
  ])('rejects %s, and the message has no password', async (_, login, text) => {
    const refused = named(`ignite://${login}127.0.0.1:${cluster.port}/`);
    await expect(refused).rejects.toMatchObject({ code: 'TB_STORE_LOGIN', message: expect.stringContaining(text) });
    await expect(refused).rejects.not.toThrow(/tell-nobody/);
  });

  it('serves a heat map to its user, and names the one that is gone', async () => {
    expect(await named(cluster.url)).toMatchObject({ origin: 'connection-string', pid: undefined });
    const url = await createHeatMap({ engine: 'ignite', url: cluster.url, name: 'of-user' });
    const open = (live: string) => openHeatMap({ engine: 'ignite', url: live, connections: 1, timeoutMs: 20_000 });
    const [heatMap, gone] = [await open(url), await open(url.replace('of_user', 'of_user_gone'))];
    try {
      const timeMs = Date.UTC(2022, 5, 1);
      const rows = {
        count: 1,
        cells: Float64Array.of(7),
        crossings: Float64Array.of(2),
        timesMs: Float64Array.of(timeMs),
      };
      await heatMap.add(rows, { partition: 0, position: 1, state: '' });
      expect(await heatMap.read(7)).toEqual({ cell: 7, crossings: 2, timeMs });
      const lost = { code: 'TB_STORE_UNAVAILABLE', message: expect.stringMatching(/of_user_gone\.\w+ does not exist/) };
      await expect(gone.read(7)).rejects.toMatchObject(lost);
      await expect(gone.claim(0)).rejects.toMatchObject(lost);
      // A mistake of the caller is no reason to search for a lost server.
      const mistake = heatMap.read('seven' as unknown as number).catch((error: unknown) => error);
      expect(await mistake).toBeInstanceOf(Error);
      expect(await mistake).not.toHaveProperty('code', 'TB_STORE_UNAVAILABLE');
      expect(await heatMap.read(7)).toEqual({ cell: 7, crossings: 2, timeMs });
    } finally {
      await Promise.all([heatMap.close(), gone.close()]);
    }
  });

  it('refuses a late job, and has the rows of one that died after it saved their checkpoint', async () => {
    const url = await createHeatMap({ engine: 'ignite', url: cluster.url, name: 'died' });
    const open = () => openHeatMap({ engine: 'ignite', url, connections: 1, timeoutMs: 20_000 });
    const [first, second] = [await open(), await open()];
    const timeMs = Date.UTC(2022, 5, 1);
    const rows = (crossings: number) => ({
      count: 1,
      cells: Float64Array.of(7),
      crossings: Float64Array.of(crossings),
      timesMs: Float64Array.of(timeMs),
    });
    try {
      const { owner } = await first.claim(1);
      await first.add(rows(2), { partition: 1, position: 5, state: 'a', owner });
      // The end of a process between the record of the partition and its rows.
      const dies = vi.spyOn(first as unknown as SumsStore, 'write').mockRejectedValueOnce(new Error('died'));
      await expect(first.add(rows(3), { partition: 1, position: 10, state: 'b', owner })).rejects.toThrow('died');
      dies.mockRestore();
      expect(await second.read(7)).toEqual({ cell: 7, crossings: 2, timeMs });
      const checkpoint = { partition: 1, position: 10, state: 'b' };
      expect(await second.claim(1)).toEqual({ owner: owner + 1, checkpoint });
      expect(await second.read(7)).toEqual({ cell: 7, crossings: 5, timeMs });
      const next = await first.claim(1);
      await first.saveCheckpoint({ ...checkpoint, owner: next.owner });
      await second.claim(1);
      // Its own connection has not seen the claim: only the server can refuse this.
      const late = first.add(rows(9), { partition: 1, position: 12, state: '', owner: next.owner });
      await expect(late).rejects.toMatchObject({ code: 'TB_STORE_CLAIMED' });
      expect(await second.read(7)).toEqual({ cell: 7, crossings: 5, timeMs });
    } finally {
      await Promise.all([first.close(), second.close()]);
    }
  });
});
