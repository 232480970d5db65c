/** Which database a connection string is of, and whether that can hold a configuration. */
import { TopoBenchError } from '@topo-bench/core/errors';
import { enginesOf, type StoreConfiguration, type StoreEngine } from '@topo-bench/core/persistence';

const engines: Readonly<Record<string, StoreEngine>> = {
  postgresql: 'postgresql',
  postgres: 'postgresql',
  mysql: 'mysql',
  mariadb: 'mysql',
  mongodb: 'mongodb',
  'mongodb+srv': 'mongodb',
  redis: 'redis',
  rediss: 'redis',
};

/** @throws TopoBenchError `TB_STORE_URL`; the message never holds the string itself, which may carry a password */
export function engineOfUrl(url: string, configuration: StoreConfiguration): StoreEngine {
  const protocol = /^([a-z+]+):\/\//.exec(url)?.[1];
  const engine = engines[protocol ?? ''];
  const able = enginesOf[configuration];
  if (engine !== undefined && able.includes(engine)) return engine;
  const received = protocol === undefined ? 'something else' : `one that begins with ${protocol}://`;
  const message = `the store ${configuration} needs a connection string of ${able.join(' or ')} and got ${received}`;
  throw new TopoBenchError('TB_STORE_URL', message, {
    hint: `write it as ${able[0]}://user:password@host:port/`,
  });
}
