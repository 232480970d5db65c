/** PostgreSQL through pgjdbc. */
import { loginOfQuery, queryOf, withHost } from './connection-string.ts';
import { answerLimitSeconds, type FlinkDatabase } from './database.ts';

export const postgresql: FlinkDatabase = {
  addressOf(url) {
    const { hostname, port, pathname, searchParams } = withHost(url);
    const options = {
      ApplicationName: 'topo-bench',
      socketTimeout: answerLimitSeconds,
      ...encryptionOf(searchParams),
    };
    return `jdbc:postgresql://${hostname}:${port || 5432}${pathname}?${queryOf(options)}`;
  },
  loginOf: loginOfQuery,
};

/** The options of pgjdbc that have the meaning of `sslmode` in node-postgres, which the embedded engine uses. */
function encryptionOf(given: URLSearchParams): Record<string, string> {
  const mode = given.get('sslmode') ?? (/^(true|1)$/.test(given.get('ssl') ?? '') ? 'verify-full' : 'disable');
  if (mode === 'disable') return { sslmode: 'disable' };
  // `require` of pgjdbc encrypts, and trusts any certificate.
  if (mode === 'no-verify') return { sslmode: 'require' };
  const root = given.get('sslrootcert');
  const trust = root === null ? { sslfactory: 'org.postgresql.ssl.DefaultJavaSSLFactory' } : { sslrootcert: root };
  return { sslmode: 'verify-full', ...trust };
}
