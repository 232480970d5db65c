/** The part of the client that we use: it comes without types. */
declare module 'apache-ignite-client' {
  class IgniteClient {
    constructor(onStateChanged?: (state: number, reason?: unknown) => void);
    static readonly STATE: Readonly<{ DISCONNECTED: number; CONNECTING: number; CONNECTED: number }>;
    connect(configuration: IgniteClient.IgniteClientConfiguration): Promise<void>;
    disconnect(): void;
    getCache(name: string): IgniteClient.CacheClient;
    getOrCreateCache(name: string): Promise<IgniteClient.CacheClient>;
    destroyCache(name: string): Promise<void>;
    cacheNames(): Promise<string[]>;
  }

  namespace IgniteClient {
    class IgniteClientConfiguration {
      /** @param endpoints `host:port` each */
      constructor(...endpoints: string[]);
      setUserName(name: string): this;
      setPassword(password: string): this;
      /** @param options of `net.connect` */
      setConnectionOptions(useTls: boolean, options: object): this;
    }

    interface CacheClient {
      get(key: string): Promise<string | null>;
      putIfAbsent(key: string, value: string): Promise<boolean>;
      replaceIfEquals(key: string, value: string, newValue: string): Promise<boolean>;
      query(query: SqlFieldsQuery): Promise<SqlFieldsCursor>;
    }

    class SqlFieldsQuery {
      constructor(sql: string);
      setSchema(schema: string): this;
      setArgs(...values: unknown[]): this;
      setArgTypes(...types: unknown[]): this;
      setPageSize(rows: number): this;
    }

    interface SqlFieldsCursor {
      getAll(): Promise<unknown[][]>;
    }

    const ObjectType: { readonly PRIMITIVE_TYPE: Readonly<Record<'LONG' | 'STRING', number>> };
    class ObjectArrayType {
      constructor(elementType: number);
    }

    type ClientError = new (message: string) => Error;
    const Errors: {
      /** The server has answered with an error. */
      readonly OperationError: ClientError;
      /** The connection ended before the answer. */
      readonly LostConnectionError: ClientError;
      /** There is no connection. */
      readonly IllegalStateError: ClientError;
    };
  }

  export = IgniteClient;
}
