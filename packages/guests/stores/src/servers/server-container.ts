/** The container of a database server: created with its password in a file, restarted on its data, and removed. */
import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { type Engine, labels, ownerLabel, tarOf, withinDeadline } from '@topo-bench/containers';
import { TopoBenchError } from '@topo-bench/core';
import { accessFile, type ImageAccess } from './engine-image.ts';

type Container = ReturnType<Engine['client']['getContainer']>;

export interface ContainerOptions {
  name: string;
  image: string;
  /** Address of this machine at which the port of the server is published. */
  published: { host: string; port: number };
  /** Port of the server in the container. */
  port: number;
  access: ImageAccess;
}

export interface ServerContainer extends Pick<ContainerOptions, 'name' | 'published' | 'port'> {
  id: string;
  /** Start of the digest of its image. */
  imageId: string;
  /** What it runs, with arguments; they contain no password. */
  command: readonly string[];
  start(): Promise<void>;
  /** Process id on the engine's host. */
  pid(): Promise<number | undefined>;
  /** Resolves when it ends, with a description of the end; undefined when it was removed or cannot be watched. */
  ended(): Promise<string | undefined>;
  /** Its whole output. */
  log(): Promise<string>;
  /** Stops it and keeps its data. */
  end(): Promise<void>;
  /** Removes it with its data, in any state; may be called again. */
  remove(): Promise<void>;
}

/** Time to write its data before it is killed. */
const graceSeconds = 10;
/** For parallel queries, which fail with the 64 MiB of the engines. */
const sharedMemoryBytes = 256 * 1024 ** 2;

/** @throws TopoBenchError `TB_ENGINE_FAILED` */
export async function createServerContainer({ client }: Engine, options: ContainerOptions): Promise<ServerContainer> {
  const { name, image, published, port, access } = options;
  const exposed = `${port}/tcp`;
  const answered: Answered = (verb, request) => withinDeadline(`${verb} the container ${name}`, request);
  const owner = await ownerLabel();
  const container = await answered('create', (abortSignal) =>
    client.createContainer({
      abortSignal,
      name,
      Image: image,
      ...(access.command && { Cmd: [...access.command] }),
      Env: Object.entries(access.env).map(([variable, value]) => `${variable}=${value}`),
      Labels: { [labels.run]: `store-${randomBytes(4).toString('hex')}`, [labels.owner]: owner },
      ExposedPorts: { [exposed]: {} },
      HostConfig: {
        // Rootless engines have other defaults, which containers of other networks cannot join.
        NetworkMode: 'bridge',
        PortBindings: { [exposed]: [{ HostIp: addressToBind(published.host), HostPort: String(published.port) }] },
        SecurityOpt: ['no-new-privileges'],
        ShmSize: sharedMemoryBytes,
      },
    }),
  ).catch(async (cause: Error & { statusCode?: number }) => {
    // Without an answer, the engine may have created it all the same.
    if (cause.statusCode === undefined) await removed(client.getContainer(name), answered).catch(() => undefined);
    throw new TopoBenchError('TB_ENGINE_FAILED', `cannot create a container of ${image}: ${cause.message}`, {
      cause,
    });
  });
  /** Ends requests that wait for the end of the container. */
  const over = new AbortController();
  const remove = (): Promise<void> => removed(container, answered).finally(() => over.abort());
  try {
    // Readable for the user of the server, whose id differs between images.
    const archive = await tarOf([{ path: accessFile.slice(1), content: access.file, mode: 0o444 }]);
    await answered('copy the files of', (abortSignal) => container.putArchive(archive, { path: '/', abortSignal }));
    const { Image, Path, Args } = await answered('inspect', (abortSignal) => container.inspect({ abortSignal }));
    const output = { stdout: true, stderr: true, follow: false } as const;
    return {
      ...{ name, published, port, id: container.id, command: [Path, ...Args], imageId: Image.slice(0, 19) },
      start: async () => void (await answered('start', (abortSignal) => container.start({ abortSignal }))),
      pid: async () => (await stateOf(container, answered))?.Pid || undefined,
      ended: () => endOf(container, answered, over.signal),
      log: async () =>
        textOf(await answered('read the log of', (abortSignal) => container.logs({ ...output, abortSignal }))),
      end: async () => {
        const stop = answered('stop', (abortSignal) => container.stop({ t: graceSeconds, abortSignal }));
        await stop.catch(unlessStatus(304));
      },
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Sends a request with a deadline. @param verb what the engine does to the container */
type Answered = <Answer>(verb: string, request: (abortSignal: AbortSignal) => Promise<Answer>) => Promise<Answer>;

/** An engine on another host may be known by its name only. The password protects the server. */
function addressToBind(host: string): string {
  return isIP(host) === 0 ? '0.0.0.0' : host;
}

async function removed(container: Container, answered: Answered): Promise<void> {
  const removal = answered('remove', (abortSignal) => container.remove({ force: true, v: true, abortSignal }));
  await removal.catch(unlessStatus(404, 409));
}

/** Passes errors of the engine, except with these status codes. */
function unlessStatus(...allowed: number[]): (error: Error & { statusCode?: number }) => void {
  return (error) => {
    if (!allowed.includes(error.statusCode ?? 0)) throw error;
  };
}

async function stateOf(
  container: Container,
  answered: Answered,
): Promise<{ Pid: number; OOMKilled: boolean } | undefined> {
  const found = answered('inspect', (abortSignal) => container.inspect({ abortSignal }));
  return (await found.catch(() => undefined))?.State;
}

/** @param abortSignal of its removal */
async function endOf(container: Container, answered: Answered, abortSignal: AbortSignal): Promise<string | undefined> {
  try {
    const { StatusCode } = (await container.wait({ abortSignal })) as { StatusCode: number };
    const killed = (await stateOf(container, answered))?.OOMKilled ? ', killed for lack of memory' : '';
    return `exited with code ${StatusCode}${killed}`;
  } catch {
    return undefined;
  }
}

/** Joins the frames of a log: an 8-byte header with the length, then output of one of the two streams. */
function textOf(log: Buffer): string {
  const parts: Buffer[] = [];
  for (let at = 0; at + 8 <= log.length; ) {
    const length = log.readUInt32BE(at + 4);
    parts.push(log.subarray(at + 8, at + 8 + length));
    at += 8 + length;
  }
  return Buffer.concat(parts).toString('utf8');
}
