/** Programs as containers of the built image, on a real engine. */
import { join } from 'node:path';
import { engineLeftovers } from '@topo-bench/containers';
import { labels } from '@topo-bench/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dockerOrSkip } from '../../../../../test/fixtures/engines.ts';
import type { LaunchedProgram, Launcher } from '../../src/launch/launcher.ts';
import { createLauncher } from '../../src/launch/launchers.ts';
import { requireWhole } from '../../src/launch/require-whole.ts';
import type { AirbyteMessage } from '../../src/protocol/messages.ts';

const docker = await dockerOrSkip();
const builtFolder = join(import.meta.dirname, '../../../../cli/dist');
const { TOPO_BENCH_BASE_IMAGE: baseImage } = process.env;
const options = { builtFolder, ...(baseImage !== undefined && { baseImage }) };
const config = JSON.stringify({ url: 'postgresql://someone:geheim@127.0.0.1:1/db' });

async function textOf({ output }: LaunchedProgram): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of output) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe.skipIf(docker.missing)(`a program in a container${docker.why}`, () => {
  let launcher: Launcher;
  beforeEach(async () => {
    launcher = await createLauncher('container', options);
    await launcher.prepare();
  });
  afterEach(() => launcher.close());

  const start = (command: string, signal?: AbortSignal): Promise<LaunchedProgram> =>
    launcher.launch({
      program: 'connector',
      args: (pathOf) => ['postgresql', command, ...(command === 'spec' ? [] : ['--config', pathOf('config.json')])],
      files: { 'config.json': config },
      ...(signal && { signal }),
    });

  async function own(): Promise<string[]> {
    const { client } = await docker.engine;
    const filters = { label: [labels.owner] };
    const [containers, { Volumes: volumes }, networks] = await Promise.all([
      client.listContainers({ all: true, filters }),
      client.listVolumes({ filters }),
      client.listNetworks({ filters }),
    ]);
    const all = [...containers.map(({ Labels }) => Labels), ...(volumes ?? []), ...networks].map(
      (one) => ('Labels' in one ? one.Labels : one) as Record<string, string> | undefined,
    );
    return all.flatMap((found) =>
      found?.[labels.owner]?.includes(`.${process.pid}.`) ? [found[labels.run] ?? ''] : [],
    );
  }

  it('has the output of the same program in a process, and leaves nothing', async () => {
    const here = await createLauncher('process', options);
    const process = await here.launch({ program: 'connector', args: () => ['postgresql', 'spec'], files: {} });
    const [expected] = (await textOf(process)).split('\n');
    const program = await start('spec');
    const [spec] = (await textOf(program)).split('\n');
    expect(spec).toBe(expected);
    expect(requireWhole('the connector', await program.ended).outputBytes).toBe(Buffer.byteLength(spec ?? '') + 1);
    const { requestedMs, imagePresentMs, createdMs, firstByteMs, lastByteMs } = program.marks;
    const marks = [requestedMs, imagePresentMs, createdMs, firstByteMs, lastByteMs] as number[];
    expect(marks).toEqual([...marks].sort((one, other) => one - other));
    await program.stop();
    await launcher.close();
    expect(await own()).toEqual([]);
  });

  it('reads its configuration from a file, which no answer of the engine shows', async () => {
    const program = await start('check');
    const { client } = await docker.engine;
    const found = await client.listContainers({
      all: true,
      filters: { label: [labels.owner], name: [program.hosts.fromPrograms] },
    });
    const info = await client.getContainer(found[0]?.Id ?? '').inspect();
    expect(JSON.stringify(info)).not.toContain('geheim');
    expect(info).toMatchObject({
      Config: { User: '1000:1000' },
      HostConfig: { ReadonlyRootfs: true, CapDrop: ['ALL'], SecurityOpt: ['no-new-privileges'] },
    });
    const [line = ''] = (await textOf(program)).split('\n');
    const { connectionStatus } = JSON.parse(line) as Extract<AirbyteMessage, { type: 'CONNECTION_STATUS' }>;
    // Loopback of the container, where nothing listens.
    expect(connectionStatus).toMatchObject({ status: 'FAILED', message: expect.stringMatching(/127\.0\.0\.1/) });
    expect(line).not.toContain('geheim');
    await program.stop();
  });

  it('is removed when its launch is aborted, and when it was killed', async () => {
    const abort = new AbortController();
    const [aborted, killed] = await Promise.all([start('check', abort.signal), start('check')]);
    abort.abort(new Error('enough'));
    const { client } = await docker.engine;
    await client
      .getContainer(killed.hosts.fromPrograms)
      .kill()
      .catch(() => undefined);
    for (const program of [aborted, killed]) {
      await textOf(program).catch(() => undefined);
      await program.stop();
    }
    await launcher.close();
    expect(await own()).toEqual([]);
    await expect(start('spec', abort.signal)).rejects.toThrow('enough');
  });

  it('is found as left over by its owner, which is no other process', async () => {
    const program = await start('check');
    const { client } = await docker.engine;
    const running = await own();
    expect(running.length).toBeGreaterThan(2);
    // The owner still runs.
    expect((await engineLeftovers(client)).map(({ run }) => run)).not.toContain(running[0]);
    await program.stop();
  });

  it('needs an image and an engine', async () => {
    const missing = await createLauncher('container', { ...options, image: 'localhost:1/no/such-image:1' });
    await expect(missing.prepare()).rejects.toMatchObject({ code: 'TB_ENGINE_NO_IMAGE', exitCode: 3 });
    await missing.close();
    const before = process.env.DOCKER_HOST;
    process.env.DOCKER_HOST = 'unix:///nowhere/docker.sock';
    try {
      const nowhere = await createLauncher('container', options);
      await expect(nowhere.prepare()).rejects.toMatchObject({ code: 'TB_ENGINE_NOT_FOUND', exitCode: 3 });
    } finally {
      if (before === undefined) delete process.env.DOCKER_HOST;
      else process.env.DOCKER_HOST = before;
    }
  });
});
