/** A Redis server on this machine. */
import { join } from 'node:path';
import { newPassword, writePrivately } from '../servers/credentials.ts';
import {
  dataDir,
  findKnownBinary,
  installationOf,
  type KnownBinary,
  makeDataDir,
  usersFor,
} from '../servers/found-binary.ts';
import type { LocalServer } from '../servers/local-server.ts';
import type { Place, Recipe } from '../servers/recipe.ts';

const known: readonly KnownBinary[] = [{ binary: 'redis-server', product: 'Redis', recipe }];

export const installation = installationOf(known, 'apt-get install redis-server');

export async function findServer(): Promise<LocalServer | undefined> {
  return findKnownBinary(known);
}

function recipe(path: string): Recipe {
  const { serve: user } = usersFor(path);
  const password = newPassword();
  const accessFile = (place: Place): string => join(place.folder, 'access.conf');
  return {
    engine: 'redis',
    name: 'redis-server',
    origin: 'found-binary',
    source: path,
    group: user.gid,
    async prepare(place) {
      await makeDataDir(place, user);
      await writePrivately(accessFile(place), `requirepass ${password}\n`, user);
    },
    serve: (place) => ({
      command: path,
      args: [accessFile(place), '--port', String(place.port), '--bind', place.host, '--dir', dataDir(place)],
      ...user,
    }),
    url: ({ host, port }) => `redis://:${password}@${host}:${port}`,
  };
}
