/** Faults of a container engine during a run: they are named, finished repetitions stay, and nothing is left behind. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { labels } from '@topo-bench/core';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { cutConnection } from './fixtures/cut-connection.ts';
import { dockerOrSkip } from './fixtures/engines.ts';
import { openRun } from './fixtures/open-run.ts';
import { underLoad } from './fixtures/processes.ts';
import { temporaryFolder, writeSmallFiles } from './fixtures/small-files.ts';
import { startTopoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 120_000 });

/** An engine that restarts is away for about this time. */
const awayMs = 500;

const found = await dockerOrSkip();

/** Names of all that belongs to the process, by the label of its owner. */
async function ownedBy(pid: number): Promise<string[]> {
  const { client } = await found.engine;
  const isOwn = ({ Labels }: { Labels?: Record<string, string> | null | undefined }): boolean =>
    Labels?.[labels.owner]?.split('.')[1] === String(pid);
  return [
    ...(await client.listContainers({ all: true })).filter((one) => isOwn(one)).map(({ Names }) => Names[0] as string),
    ...(await client.listNetworks()).filter((one) => isOwn(one)).map(({ Name }) => Name),
    ...((await client.listVolumes()).Volumes ?? []).filter((one) => isOwn(one)).map(({ Name }) => Name),
  ];
}

/** Names of the networks of the process. */
async function networksOf(pid: number): Promise<string[]> {
  return (await ownedBy(pid)).filter((name) => /^tb-\w+$/.test(name));
}

async function removeAll(names: readonly string[]): Promise<void> {
  const { client } = await found.engine;
  for (const name of names.filter((one) => one.startsWith('/'))) {
    await client.getContainer(name.slice(1)).remove({ force: true, v: true });
  }
  for (const name of names.filter((one) => one.startsWith('tb-'))) await client.getNetwork(name).remove();
}

/** Waits for a deployment other than this one, and for its load. */
async function nextDeployment(pid: number, before: string | undefined): Promise<string> {
  const network = await vi.waitFor(
    async () => {
      const [name, ...others] = await networksOf(pid);
      expect([name !== undefined && name !== before, others]).toEqual([true, []]);
      // Three containers with a volume each, and the network.
      expect(await ownedBy(pid)).toHaveLength(7);
      return name as string;
    },
    { timeout: 30_000, interval: 100 },
  );
  await underLoad(pid);
  return network;
}

describe.skipIf(found.missing)(`a run on an engine that fails${found.why}`, () => {
  const folder = temporaryFolder();
  const { 'experiment.yaml': experiment } = writeSmallFiles(folder, (name, text) =>
    name === 'experiment.yaml'
      ? text
          .replace('[central-entity, sidecar]', '[none]')
          .replace('repetitions: 1', 'repetitions: 3')
          .replace('500ms', '4s')
      : text,
  );

  it('continues when the engine is back, and ends when it is not; finished cells are kept, the rest is named', async () => {
    const { client, address } = await found.engine;
    const path = join(folder, 'engine.sock');
    const connection = await cutConnection({ path: new URL(address.url).pathname }, path);
    onTestFinished(() => connection.close());
    const run = startTopoBench(['run', experiment, '--runner', 'docker', '--out', 'run'], {
      cwd: folder,
      env: { DOCKER_HOST: `unix://${path}`, KUBECONFIG: join(folder, 'none') },
    });
    onTestFinished(async () => {
      run.process.kill('SIGKILL');
      await run.ended;
      await removeAll(await ownedBy(run.pid));
    });
    await run.saw('[1/3]');
    const [first] = await networksOf(run.pid);
    const second = await nextDeployment(run.pid, first);
    connection.cut();
    await sleep(awayMs);
    await connection.restore();
    // Each of the three containers is watched again.
    await vi.waitFor(() => expect(connection.open()).toBeGreaterThanOrEqual(3), { timeout: 10_000 });
    const victim = (await ownedBy(run.pid)).find((name) => name.endsWith('-scoring')) as string;
    await client.getContainer(victim.slice(1)).kill();
    await run.saw('[2/3]');
    await nextDeployment(run.pid, second);
    connection.cut();
    const { code, stderr } = await run.ended;
    const left = await ownedBy(run.pid);

    expect(code, stderr).toBe(3);
    expect(stderr).toMatch(/TB_NOT_REMOVED[\s\S]*topo-bench down --all/);
    const { record, cells } = await openRun(join(folder, 'run'));
    expect(record.status).toBe('failed');
    const reasons = cells
      .toSorted((a, b) => a.repetition - b.repetition)
      .map(({ validity }) => validity.reasons.join());
    expect(reasons[0]).not.toMatch(/engine|container/);
    expect(reasons[1]).toMatch(/the container of scoring was killed \(SIGKILL\)/);
    // Nothing of the second deployment, and all of the third.
    expect(left).toHaveLength(7);
    expect(left).not.toContain(second);
  });
});
