/** MariaDB and MySQL through MariaDB Connector/J. */
import { TopoBenchError } from '@topo-bench/core';
import { loginOfQuery, queryOf, withHost } from './connection-string.ts';
import { answerLimitSeconds, type FlinkDatabase } from './database.ts';

export const mysql: FlinkDatabase = {
  addressOf(url) {
    const { hostname, port, pathname, searchParams } = withHost(url);
    const options = {
      socketTimeout: answerLimitSeconds * 1000,
      // MySQL's default login without encryption needs the server's key; mysql2 asks for it too.
      allowPublicKeyRetrieval: 'true',
      ...encryptionOf(searchParams.get('ssl')),
    };
    return `jdbc:mariadb://${hostname}:${port || 3306}${pathname}?${queryOf(options)}`;
  },
  loginOf: loginOfQuery,
};

/** The options of Connector/J that have the meaning of `ssl` in mysql2, which the embedded engine uses. */
function encryptionOf(given: string | null): Record<string, string> {
  if (given === null) return { sslMode: 'disable' };
  const { rejectUnauthorized = true, verifyIdentity = false, ca, ...others } = settingsOf(given);
  const isKnown = Object.keys(others).length === 0 && (ca === undefined || typeof ca === 'string');
  if (!isKnown) throw unknownEncryption();
  if (!rejectUnauthorized) return { sslMode: 'trust' };
  return { sslMode: verifyIdentity ? 'verify-full' : 'verify-ca', ...(ca !== undefined && { serverSslCert: ca }) };
}

interface Settings {
  rejectUnauthorized?: boolean;
  verifyIdentity?: boolean;
  ca?: string;
}

function settingsOf(given: string): Settings & Record<string, unknown> {
  let settings: unknown;
  try {
    settings = JSON.parse(given);
  } catch {
    // The name of a profile.
  }
  if (typeof settings !== 'object' || settings === null) throw unknownEncryption();
  return settings as Settings & Record<string, unknown>;
}

/** Any part of the option may be a key. */
function unknownEncryption(): TopoBenchError {
  return new TopoBenchError('TB_STORE_URL', 'option `ssl` of the connection string: got one that Flink does not know', {
    hint: 'write it as JSON with `rejectUnauthorized`, `verifyIdentity` and `ca`',
  });
}
