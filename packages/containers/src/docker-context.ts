/**
 * Contexts of the Docker command line: named addresses of engines in its configuration folder. Docker Desktop, rootless
 * Docker and Colima register their sockets as contexts.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import type { EngineAddress } from './engine-connection.ts';

/** Name of the context without an entry of its own: the default socket. */
const defaultContext = 'default';

/** @returns undefined for the default context, and when there is no configuration */
export function currentContext(configFolder: string): string | undefined {
  const name = readJson<{ currentContext?: string }>(join(configFolder, 'config.json'))?.currentContext;
  return name && name !== defaultContext ? name : undefined;
}

/**
 * @param source origin of the name, for messages
 * @throws TopoBenchError `TB_ENGINE_ADDRESS`
 */
export function contextAddress(configFolder: string, name: string, source: string): EngineAddress {
  if (name === defaultContext) return { url: 'unix:///var/run/docker.sock', source: `${source} "${name}"` };
  const id = createHash('sha256').update(name).digest('hex');
  const url = readMeta(configFolder, id)?.Endpoints?.docker?.Host;
  if (!url) {
    const known = [defaultContext, ...contextNames(configFolder)].map((one) => `"${one}"`).join(', ');
    const message = `${source} names the Docker context "${name}", expected one of ${known}`;
    throw new TopoBenchError('TB_ENGINE_ADDRESS', message, { hint: 'list the contexts: docker context ls' });
  }
  const tlsFolder = join(configFolder, `contexts/tls/${id}/docker`);
  return { url, source: `${source} "${name}"`, ...(existsSync(tlsFolder) && { tlsFolder }) };
}

interface ContextMeta {
  Name?: string;
  Endpoints?: { docker?: { Host?: string } };
}

function contextNames(configFolder: string): string[] {
  try {
    const ids = readdirSync(join(configFolder, 'contexts/meta'));
    return ids.flatMap((id) => readMeta(configFolder, id)?.Name ?? []);
  } catch {
    return [];
  }
}

function readMeta(configFolder: string, id: string): ContextMeta | undefined {
  return readJson(join(configFolder, 'contexts/meta', id, 'meta.json'));
}

function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    return undefined;
  }
}
