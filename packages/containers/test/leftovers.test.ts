/** Real containers, networks and volumes with owners that run, have ended, or are of another host. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dockerOrSkip } from '../../../test/fixtures/engines.ts';
import { engineLeftovers, labels, ownerLabel } from '../src/index.ts';

const baseImage = process.env.TOPO_BENCH_BASE_IMAGE ?? `node:${process.versions.node.split('.')[0]}-slim`;
const found = await dockerOrSkip();
/** Unique per run of the tests: other tests use the same engine. */
const prefix = `topo-bench-leftovers-${process.pid}`;

describe.skipIf(found.missing)(`leftovers of an engine${found.why}`, () => {
  const name = (owner: string): string => `${prefix}-${owner}`;
  let owners: Record<string, string>;

  beforeAll(async () => {
    const { client } = await found.engine;
    const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
    const ended = await ownerLabel(child.pid);
    await once(child, 'exit');
    owners = { ended, running: await ownerLabel(), elsewhere: ended.replace(/^\w+/, '0123456789ab'), foreign: 'me' };
    for (const [owner, label] of Object.entries(owners)) {
      const Labels = { [labels.owner]: label, [labels.run]: name(owner) };
      await client.createNetwork({ Name: name(owner), Labels });
      await client.createVolume({ Name: name(owner), Labels });
      const container = await client.createContainer({
        name: name(owner),
        Image: baseImage,
        Cmd: ['node', '-e', 'setInterval(() => {}, 1000)'],
        Labels,
        HostConfig: { NetworkMode: name(owner), Binds: [`${name(owner)}:/data`] },
      });
      await container.start();
    }
  });

  afterAll(async () => {
    const { client } = await found.engine;
    for (const owner of Object.keys(owners)) {
      await client
        .getContainer(name(owner))
        .remove({ force: true })
        .catch(() => undefined);
      await client
        .getNetwork(name(owner))
        .remove()
        .catch(() => undefined);
      await client
        .getVolume(name(owner))
        .remove()
        .catch(() => undefined);
    }
  });

  const ofThisTest = async () => {
    const { client } = await found.engine;
    return (await engineLeftovers(client)).filter(({ run }) => run.startsWith(prefix));
  };
  const existing = async (): Promise<string[][]> => {
    const { client } = await found.engine;
    const containers = (await client.listContainers({ all: true })).flatMap(({ Names }) => Names);
    const networks = (await client.listNetworks()).map(({ Name }) => Name);
    const volumes = (await client.listVolumes()).Volumes.map(({ Name }) => Name);
    const ours = (names: string[]) => names.filter((one) => one.includes(prefix)).map((one) => one.replace('/', ''));
    return [ours(containers), ours(networks), ours(volumes)].map((names) => names.sort());
  };

  it('are those of ended processes of this host, grouped by run', async () => {
    expect(await ofThisTest()).toEqual([
      {
        run: name('ended'),
        objects: { container: [name('ended')], network: [name('ended')], volume: [name('ended')] },
        remove: expect.any(Function),
      },
    ]);
  });

  it('come in an order in which they can be removed: a server before the network that it joined', async () => {
    const { client } = await found.engine;
    const create = (own: string, run: string) =>
      client.createContainer({
        ...{ name: name(own), Image: baseImage, Cmd: ['node', '-e', 'setInterval(() => {}, 1000)'] },
        Labels: { [labels.owner]: owners.ended as string, [labels.run]: name(run) },
      });
    const container = await create('server', 'server');
    // Roles are younger than their server. The engine lists them first.
    await create('role', 'ended');
    try {
      await container.start();
      await client.getNetwork(name('ended')).connect({ Container: container.id });
      const [first, second] = await ofThisTest();
      expect([first?.run, second?.run]).toEqual([name('server'), name('ended')]);
      await first?.remove();
      expect((await existing())[0]).not.toContain(name('server'));
    } finally {
      await container.remove({ force: true }).catch(() => undefined);
    }
  });

  it('are removed while everything else stays, also when two processes remove them at once', async () => {
    const [[one], [other]] = await Promise.all([ofThisTest(), ofThisTest()]);
    await Promise.all([one?.remove(), other?.remove()]);
    const others = ['elsewhere', 'foreign', 'running'].map(name);
    expect(await existing()).toEqual([others, others, others]);
    expect(await ofThisTest()).toEqual([]);
  });
});
