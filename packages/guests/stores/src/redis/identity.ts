/** Identity of a Redis-protocol server, and its settings for durability and memory. */
import type { ServerIdentity } from '../store.ts';
import type { RedisConnection } from './driver.ts';

const settings = ['appendonly', 'appendfsync', 'save', 'maxmemory', 'maxmemory-policy'];

export async function identify(client: RedisConnection): Promise<ServerIdentity> {
  const about = String(await client.sendCommand(['INFO', 'server']));
  const field = (name: string): string | undefined => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(about)?.[1];
  // Valkey reports its own version next to the compatible version of Redis.
  const valkey = field('valkey_version');
  const identity = valkey
    ? { name: 'Valkey', version: valkey }
    : { name: 'Redis', version: field('redis_version') ?? 'unknown' };
  return { ...identity, settings: await configuration(client) };
}

/** Managed servers refuse the command: the settings are then unknown. */
async function configuration(client: RedisConnection): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const name of settings) {
    const answer = await client.sendCommand(['CONFIG', 'GET', name]).catch(() => ({}));
    // A list of name and value, or a map, depending on the protocol version.
    const [value] = Array.isArray(answer) ? answer.slice(1) : Object.values(answer as object);
    if (value !== undefined) values[name] = String(value);
  }
  return values;
}
