/** The arguments of a job: its settings, without secrets. */
import { TopoBenchError } from '@topo-bench/core';
import type { StreamJob } from '../stream-job.ts';
import type { Login } from './job-jar.ts';

export interface FlinkJob extends Pick<StreamJob, 'windows' | 'guarantee' | 'partitions' | 'rowsPerWrite'> {
  /** Connection string of a heat map in PostgreSQL; may contain a password. */
  heatMapUrl: string;
  /** The first points of all. */
  points: number;
  /** Undefined for as fast as the operators take them. */
  ratePerSecond: number | undefined;
  cellLength: number;
  checkpointEveryMs: number;
  /** Restarts after a failure; default 0. */
  restarts?: number;
}

export function argumentsOf(job: FlinkJob): string[] {
  const settings = {
    url: jdbcUrlOf(job.heatMapUrl),
    points: job.points,
    rate: job.ratePerSecond ?? 0,
    'cell-length': job.cellLength,
    'window-ms': job.windows?.lengthMs ?? 0,
    'out-of-order-ms': job.windows?.outOfOrderMs ?? 0,
    guarantee: job.guarantee,
    partitions: job.partitions,
    'rows-per-write': job.rowsPerWrite,
    'checkpoint-every-ms': job.checkpointEveryMs,
    restarts: job.restarts ?? 0,
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
}

/** Time that PostgreSQL may take for a statement. Flink cannot interrupt a task that waits for an answer. */
const answerLimitSeconds = 60;

/** @throws TopoBenchError `TB_STORE_URL` for a socket, which drivers of Java do not reach */
function jdbcUrlOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url);
  if (hostname === '') {
    throw new TopoBenchError('TB_STORE_URL', 'the connection string has no host, and Flink needs one', {
      hint: 'write it as postgresql://user:password@host:port/',
    });
  }
  const options = {
    ApplicationName: 'topo-bench',
    socketTimeout: answerLimitSeconds,
    ...encryptionOf(searchParams),
  };
  const query = Object.entries(options).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `jdbc:postgresql://${hostname}:${port || 5432}${pathname}?${query.join('&')}`;
}

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

/** The login in the query of a connection string has precedence, as in node-postgres. */
export function loginOf(url: string): Login {
  const { username, password, searchParams } = new URL(url);
  return {
    user: searchParams.get('user') || decodeURIComponent(username),
    password: searchParams.get('password') || decodeURIComponent(password),
  };
}
