/** The address of an engine, and the options of a client that connects to it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import type { DockerOptions } from 'dockerode';

export interface EngineAddress {
  /** As in `DOCKER_HOST`: `unix://…`, `npipe://…`, `tcp://…` or `ssh://…`. */
  url: string;
  /** Origin of the address, for messages. */
  source: string;
  /** Folder with `ca.pem`, `cert.pem` and `key.pem` for a connection over TLS. */
  tlsFolder?: string;
}

/** @throws TopoBenchError `TB_ENGINE_ADDRESS` */
export function connectionOptions(address: EngineAddress): DockerOptions {
  const socket = /^(?:unix|npipe):\/\/(.*)$/.exec(address.url)?.[1];
  // The client reads DOCKER_HOST itself: its host would win over a socket.
  if (socket) return { host: undefined, socketPath: socket } as DockerOptions;
  const url = URL.canParse(address.url) ? new URL(address.url) : undefined;
  const host = url?.hostname;
  if (url?.protocol === 'ssh:' && host) {
    const agent = process.env.SSH_AUTH_SOCK;
    const port = url.port === '' ? {} : { port: Number(url.port) };
    return {
      ...{ protocol: 'ssh', host, ...port, username: url.username || process.env.USER || 'root' },
      ...(agent && { sshOptions: { agent } }),
    };
  }
  if (url && host && /^(tcp|http|https):$/.test(url.protocol)) {
    const tls = address.tlsFolder === undefined ? {} : readTls(address.tlsFolder, address);
    const protocol = address.tlsFolder !== undefined || url.protocol === 'https:' ? 'https' : 'http';
    return { protocol, host, port: Number(url.port || (protocol === 'https' ? 2376 : 2375)), ...tls };
  }
  throw new TopoBenchError('TB_ENGINE_ADDRESS', `${address.source}: got "${address.url}", expected an engine address`, {
    hint: 'write unix:///path/to/docker.sock, tcp://host:2375 or ssh://user@host',
  });
}

function readTls(folder: string, { source }: EngineAddress): Pick<DockerOptions, 'ca' | 'cert' | 'key'> {
  const files = (['ca', 'cert', 'key'] as const).map((name) => [name, join(folder, `${name}.pem`)] as const);
  const missing = files.find(([, path]) => !existsSync(path));
  if (missing) {
    throw new TopoBenchError('TB_ENGINE_ADDRESS', `${source} is used over TLS, and ${missing[1]} is missing`, {
      hint: 'set DOCKER_CERT_PATH to the folder with ca.pem, cert.pem and key.pem',
    });
  }
  return Object.fromEntries(files.map(([name, path]) => [name, readFileSync(path)]));
}
