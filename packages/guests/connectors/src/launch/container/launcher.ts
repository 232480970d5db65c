/** Programs as containers of the service image, on a network that all programs of the launcher share. */
import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { connectEngine, type Engine, ownerLabel, serverReach, serviceImage } from '@topo-bench/containers';
import { labels, TopoBenchError } from '@topo-bench/core';
import { createNetwork, joinServers, onNetwork, type RunNetwork, removeServers } from '@topo-bench/runners/docker';
import type { LaunchedProgram, Launcher, LauncherOptions, ProgramLaunch } from '../launcher.ts';
import { LaunchedContainer } from './launched-container.ts';

interface Shared {
  engine: Engine;
  network: RunNetwork;
  labels: Readonly<Record<string, string>>;
}

export function containerLauncher({
  builtFolder,
  image,
  baseImage,
  context,
  servers = [],
  onProgress,
}: LauncherOptions): Launcher {
  const run = randomBytes(4).toString('hex');
  const running = new Set<LaunchedContainer>();
  /** Paths in the containers by path here. */
  const mounted = new Map<string, string>();
  let connected: Promise<Engine> | undefined;
  let sharing: Promise<Shared> | undefined;
  let started = 0;

  const connect = (): Promise<Engine> => {
    connected ??= connectEngine({ context });
    return connected;
  };

  const shared = (): Promise<Shared> => {
    sharing ??= share();
    return sharing;
  };
  const imageOn = (engine: Engine, signal?: AbortSignal) =>
    serviceImage(engine, { builtFolder, image, baseImage, onProgress, signal });

  async function share(): Promise<Shared> {
    const engine = await connect();
    const owned = { [labels.run]: run, [labels.owner]: await ownerLabel() };
    const network = await createNetwork(engine, `tb-${run}`, owned);
    await joinServers(engine, network.name, servers);
    return { engine, network, labels: owned };
  }

  return {
    place: 'container',
    check: async (signal) => (await imageOn(await connect(), signal)).id,
    serverReach: async () => serverReach(await connect(), context),
    async filePath(path) {
      if (!(await connect()).facts.local) {
        throw new TopoBenchError(
          'TB_STORE_UNREACHABLE',
          'containers of this engine do not read files of this machine',
          {
            hint: 'use an engine on this machine',
          },
        );
      }
      // A folder for each: the base name may occur twice, and is the name of a stream.
      const target = mounted.get(path) ?? `/data/${mounted.size}/${basename(path)}`;
      mounted.set(path, target);
      return target;
    },
    async prepare(signal) {
      signal?.throwIfAborted();
      await imageOn((await shared()).engine, signal);
    },
    async storeUrl(url) {
      const { engine } = await shared();
      return onNetwork(servers, await serverReach(engine, context)).storeUrl(url);
    },
    launch,
    async close() {
      await Promise.all([...running].map((program) => program.stop()));
      const { engine, network } = (await sharing?.catch(() => undefined)) ?? {};
      sharing = undefined;
      if (!engine || !network) return;
      await removeServers(engine, network.name, servers);
      await network.remove();
    },
  };

  async function launch(program: ProgramLaunch): Promise<LaunchedProgram> {
    const requestedMs = performance.now();
    const { engine, network, labels: owned } = await shared();
    const { id } = await imageOn(engine, program.signal);
    const imagePresentMs = performance.now();
    program.signal?.throwIfAborted();
    const name = `tb-${run}-${program.program}-${started++}`;
    const its = { ...owned, [labels.role]: program.program };
    const place = { name, image: id, network, labels: its, mounted };
    const container = new LaunchedContainer(engine, place, program, { requestedMs, imagePresentMs });
    running.add(container);
    const stop = (): void => void container.stop().catch(() => undefined);
    program.signal?.addEventListener('abort', stop, { once: true });
    try {
      await container.start();
      return container;
    } catch (error) {
      await container.stop();
      throw error;
    } finally {
      void container.removed.then(() => {
        running.delete(container);
        program.signal?.removeEventListener('abort', stop);
      });
    }
  }
}
