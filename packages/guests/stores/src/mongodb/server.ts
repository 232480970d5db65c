/** MongoDB-protocol servers on this machine: MongoDB itself, or SecantusDB. */
import { newPassword } from '../servers/credentials.ts';
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
import type { RunAs } from '../servers/run-as.ts';

const known: readonly KnownBinary[] = [
  // It starts on its own, not as a member of a replica set.
  { binary: 'mongod', product: 'MongoDB', withoutTransactions: true, recipe: mongod },
  { binary: 'secantusd-py', product: 'SecantusDB (MongoDB wire protocol)', recipe: secantus },
];

const userName = 'topo-bench';

export const installation = installationOf(known, 'pip install secantusdb');

export async function findServer(): Promise<LocalServer | undefined> {
  return findKnownBinary(known);
}

function mongod(path: string): Recipe {
  const serve = (place: Place, access: string[]): string[] => {
    const address = ['--port', String(place.port), '--bind_ip', place.host, '--nounixsocket'];
    return ['--dbpath', dataDir(place), ...address, ...access];
  };
  return mongoServer('mongod', path, usersFor(path).serve, serve);
}

function secantus(path: string): Recipe {
  const serve = (place: Place, access: string[]): string[] => {
    return ['--host', place.host, '--port', String(place.port), '--storage-path', dataDir(place), ...access];
  };
  // A script: its interpreter and packages may be readable only for our own user.
  return mongoServer('secantusd-py', path, {}, serve);
}

/** @param args arguments of the server; `--auth` is appended once it has its user */
function mongoServer(
  name: string,
  path: string,
  user: RunAs,
  args: (place: Place, access: string[]) => string[],
): Recipe {
  const password = newPassword();
  const url: Recipe['url'] = ({ host, port }) => `mongodb://${userName}:${password}@${host}:${port}/?authSource=admin`;
  return {
    engine: 'mongodb',
    name,
    origin: 'found-binary',
    source: path,
    group: user.gid,
    async prepare(place, guard) {
      await makeDataDir(place, user);
      const command = { command: path, args: args(place, []), log: place.log, ...user };
      // Loads the driver, which finding a server does not need.
      const { addFirstUser } = await import('./first-user.ts');
      await addFirstUser(guard, name, command, place, { name: userName, password });
    },
    serve: (place) => ({ command: path, args: args(place, ['--auth']), ...user }),
    url,
  };
}
