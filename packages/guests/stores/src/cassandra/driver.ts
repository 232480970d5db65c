/** Sessions on a Cassandra cluster: the driver keeps the connections, and routes each statement to a replica. */
import { auth, Client, errors, policies, types } from 'cassandra-driver';
import { StoreClaimed, StoreRefused, StoreUnavailable } from '../store-error.ts';

export interface SessionOptions {
  timeoutMs: number;
  /** Per node. */
  connections: number;
}

const defaultPort = 9042;
const maxRetries = 5;
/** A restarted server is used again after at most this time. */
const reconnectMs = 500;

/**
 * A session that is not connected yet. `?datacenter=NAME` keeps it to one data center.
 * @param url `cassandra://user:password@host:port/keyspace`
 */
export function newSession(url: string, { timeoutMs, connections }: SessionOptions): Client {
  const { hostname, port, pathname, username, password, searchParams } = new URL(url);
  const keyspace = decodeURIComponent(pathname.slice(1));
  const datacenter = searchParams.get('datacenter');
  const { TokenAwarePolicy, DCAwareRoundRobinPolicy, RoundRobinPolicy } = policies.loadBalancing;
  const perHost = { [types.distance.local]: connections, [types.distance.remote]: 1, [types.distance.ignored]: 0 };
  return new Client({
    contactPoints: [`${hostname}:${port || defaultPort}`],
    ...(keyspace && { keyspace }),
    ...(username && {
      authProvider: new auth.PlainTextAuthProvider(decodeURIComponent(username), decodeURIComponent(password)),
    }),
    policies: {
      loadBalancing: new TokenAwarePolicy(
        datacenter ? new DCAwareRoundRobinPolicy(datacenter) : new RoundRobinPolicy(),
      ),
      reconnection: new policies.reconnection.ConstantReconnectionPolicy(reconnectMs),
      retry: new RetriedTimeouts(),
    },
    pooling: { coreConnectionsPerHost: perHost },
    socketOptions: { connectTimeout: timeoutMs, readTimeout: timeoutMs },
    queryOptions: {
      prepare: true,
      consistency: types.consistencies.quorum,
      serialConsistency: types.consistencies.serial,
      // Writes carry their time: the same one twice is one.
      isIdempotent: true,
    },
  });
}

type OperationInfo = policies.retry.OperationInfo;
type DecisionInfo = policies.retry.DecisionInfo;

/**
 * Repeats reads and writes that a busy server did not finish within its own limit, which is 2 s for writes. The driver
 * asks it about idempotent statements alone.
 */
class RetriedTimeouts extends policies.retry.RetryPolicy {
  override onReadTimeout({ nbRetry }: OperationInfo, consistency: types.consistencies): DecisionInfo {
    return nbRetry < maxRetries ? this.retryResult(consistency) : this.rethrowResult();
  }

  override onWriteTimeout({ nbRetry }: OperationInfo, consistency: types.consistencies): DecisionInfo {
    return nbRetry < maxRetries ? this.retryResult(consistency) : this.rethrowResult();
  }
}

/** Runs one operation on a session of its own. @throws the driver's error */
export async function withSession<T>(
  url: string,
  timeoutMs: number,
  operation: (session: Client) => Promise<T>,
): Promise<T> {
  const session = newSession(url, { timeoutMs, connections: 1 });
  try {
    await session.connect();
    return await operation(session);
  } finally {
    await session.shutdown().catch(() => {});
  }
}

const { responseErrorCodes } = types;
const unavailableCodes: ReadonlySet<number> = new Set([
  responseErrorCodes.unavailableException,
  responseErrorCodes.overloaded,
  responseErrorCodes.isBootstrapping,
  responseErrorCodes.serverError,
  responseErrorCodes.writeTimeout,
  responseErrorCodes.readTimeout,
  responseErrorCodes.readFailure,
  responseErrorCodes.writeFailure,
]);

/** StoreUnavailable for an error of the cluster; any other error as it is. */
export function storeError(error: unknown): unknown {
  if (error instanceof StoreClaimed || error instanceof StoreRefused || error instanceof StoreUnavailable) return error;
  if (error instanceof errors.NoHostAvailableError) return new StoreUnavailable(reasonOf(error), error);
  if (error instanceof errors.OperationTimedOutError || error instanceof errors.BusyConnectionError)
    return new StoreUnavailable(error.message, error);
  if (error instanceof errors.ResponseError && unavailableCodes.has(error.code))
    return new StoreUnavailable(error.message, error);
  return error;
}

/** The reasons of the hosts, not only that all of them failed. */
function reasonOf(error: errors.NoHostAvailableError): string {
  const [first] = Object.values((error.innerErrors ?? {}) as Record<string, Error>);
  return first?.message ?? error.message;
}
