/** The engine of a connection string, if it supports the configuration. */
import { enginesOf, type StoreConfiguration, type StoreEngine, TopoBenchError } from '@topo-bench/core';
import { engines } from './engines.ts';

/** @throws TopoBenchError `TB_STORE_URL`; the message never contains the string itself, which may contain a password */
export function engineOfUrl(url: string, configuration: StoreConfiguration): StoreEngine {
  const protocol = /^([a-z+]+:)\/\//.exec(url)?.[1];
  const able = enginesOf[configuration];
  const engine = able.find((name) => protocol !== undefined && protocol in engines[name].protocols);
  if (engine !== undefined) return engine;
  const received = protocol === undefined ? 'something else' : `one with ${protocol}//`;
  const message = `connection string of the store ${configuration}: got ${received}, expected one of ${able.join(' or ')}`;
  throw new TopoBenchError('TB_STORE_URL', message, {
    hint: `write it as ${able[0]}://user:password@host:port/`,
  });
}
