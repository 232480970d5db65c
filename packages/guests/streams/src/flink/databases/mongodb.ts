/** Servers with the MongoDB protocol, through the driver for Java. It reads the connection strings of all drivers. */
import { TopoBenchError } from '@topo-bench/core';
import { withoutHost } from './connection-string.ts';
import type { FlinkDatabase } from './database.ts';

/** Options that have the same meaning in both drivers. Their names are in any case. */
const shared = new Set([
  'authmechanism',
  'authsource',
  'directconnection',
  'journal',
  'loadbalanced',
  'replicaset',
  'retrywrites',
  'ssl',
  'tls',
  'tlsallowinvalidhostnames',
  'w',
  'wtimeoutms',
]);
/** Values, in lower case, of options of which not all go together with user and password. */
const values: Readonly<Record<string, readonly string[]>> = {
  authmechanism: ['default', 'plain', 'scram-sha-1', 'scram-sha-256'],
};
/** Options of encryption and login that are not shared must not be left out. */
const required = /^(auth|proxy|ssl|tls)/;

export const mongodb: FlinkDatabase = {
  addressOf(url) {
    const { protocol, hosts, path, options } = partsOf(url);
    // A host with a slash is a socket.
    if (hosts === '' || /%2f/i.test(hosts)) throw withoutHost(protocol);
    const known = options.filter(isShared);
    const isGiven = known.some((option) => /^directconnection=/i.test(option));
    // The driver of Node.js finds the primary from any one member of a replica set; that of Java writes to this member.
    const query = isGiven ? known : [...known, 'directConnection=false'];
    return `${protocol}//${hosts}${path}?${query.join('&')}`;
  },
  loginOf(url) {
    const [user = '', password = ''] = partsOf(url).login.split(':');
    return { user: decodeURIComponent(user), password: decodeURIComponent(password) };
  },
};

interface Parts {
  protocol: string;
  login: string;
  /** Several are separated by commas, which `URL` rejects. */
  hosts: string;
  path: string;
  options: string[];
}

function partsOf(url: string): Parts {
  const [, protocol = '', login = '', hosts = '', path = '/', query = ''] =
    /^([^/]+:)\/\/(?:([^@/?]*)@)?([^/?]*)(\/[^?]*)?(?:\?(.*))?$/.exec(url) ?? [];
  return { protocol, login, hosts, path, options: query.split('&').filter((option) => option !== '') };
}

/** @throws TopoBenchError `TB_STORE_URL` without the value, which may be a password */
function isShared(option: string): boolean {
  const [name = '', value = ''] = option.split('=');
  const known = values[name.toLowerCase()]?.includes(value.toLowerCase()) ?? true;
  if (known && shared.has(name.toLowerCase())) return true;
  if (!required.test(name.toLowerCase())) return false;
  const message = `option \`${name}\` of the connection string: Flink has no counterpart`;
  throw new TopoBenchError('TB_STORE_URL', message, {
    hint: 'use `tls=true`, with a certificate that Java trusts, and a login by user and password',
  });
}
