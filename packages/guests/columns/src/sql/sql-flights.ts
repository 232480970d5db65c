/**
 * The Flight SQL verbs over a source: direct and prepared queries, parameters, catalogue and server info. Read-only and
 * stateless: handles and tickets contain the sealed statements.
 */
import {
  type CallContext,
  type FlightAction,
  type FlightActionType,
  type FlightDescriptor,
  FlightError,
  type FlightInfo,
  type FlightStream,
  type FlightUpload,
} from '@topo-bench/arrow-flight';
import {
  decodeInfoRequest,
  decodeQueryText,
  decodeSingleBytes,
  decodeSqlMessage,
  encodePreparedStatement,
  encodeSchemaMessage,
  encodeSingleBytes,
  encodeSqlMessage,
  type SqlMessage,
} from '@topo-bench/arrow-flight/sql';
import type { Schema } from 'apache-arrow';
import { type CataloguePart, cataloguePart } from './catalogue.ts';
import { parameterSchema, schemaOf } from './column-types.ts';
import { readParameters } from './parameter-values.ts';
import { rowBatches } from './row-batches.ts';
import { type SealedStatement, SealedStatements } from './sealed-statements.ts';
import { infoBatch, infoSchema } from './sql-info.ts';
import type { SqlSource } from './sql-source.ts';

/** Max length of a query in characters. */
const maxCharacters = 1024 ** 2;

export const sqlActions: readonly FlightActionType[] = [
  { type: 'CreatePreparedStatement', description: 'Flight SQL: prepares a query.' },
  { type: 'ClosePreparedStatement', description: 'Flight SQL: ends a prepared query.' },
];

export class SqlFlights {
  private readonly sealed = new SealedStatements();

  constructor(private readonly source: SqlSource) {}

  async info(command: SqlMessage, descriptor: FlightDescriptor, context: CallContext): Promise<FlightInfo> {
    const { schema, ticket } = await this.flightOf(command, context);
    return {
      schema,
      descriptor,
      endpoints: [{ ticket: encodeSqlMessage(ticket), locations: [] }],
      totalRecords: -1,
      totalBytes: -1,
      ordered: true,
    };
  }

  async schema(command: SqlMessage, context: CallContext): Promise<Schema> {
    return (await this.flightOf(command, context)).schema;
  }

  async stream({ type, value }: SqlMessage, { user, signal }: CallContext): Promise<FlightStream> {
    if (type === 'TicketStatementQuery') {
      const { text, values = [] } = this.sealed.open(decodeSingleBytes(value), user);
      const { columns, rows } = await this.source.run(text, values, signal);
      const schema = schemaOf(columns);
      return { schema, batches: rowBatches(schema, rows) };
    }
    if (type === 'CommandGetSqlInfo') return { schema: infoSchema, batches: [infoBatch(decodeInfoRequest(value))] };
    const part = cataloguePart(type, value) ?? refuse(type);
    const { rows } = await this.source.run(part.query, part.values, signal);
    return { schema: part.schema, batches: rowBatches(part.schema, translated(part, rows)) };
  }

  /** Binds parameters and returns a handle that includes them. */
  async bind(
    { type, value }: SqlMessage,
    { schema, chunks, acknowledge }: FlightUpload,
    { user }: CallContext,
  ): Promise<void> {
    if (type !== 'CommandPreparedStatementQuery') refuse(type);
    const statement = this.sealed.open(decodeSingleBytes(value), user);
    const values = await readParameters(schema, chunks);
    await acknowledge(encodeSingleBytes(this.sealed.seal({ ...statement, values }, user)));
  }

  async *act({ type, body }: FlightAction, context: CallContext): AsyncGenerator<Uint8Array, void, void> {
    const request = decodeSqlMessage(body);
    if (type === 'CreatePreparedStatement' && request) yield await this.prepare(request, context);
    // There is no state to close.
    else if (type !== 'ClosePreparedStatement' || !request) {
      throw new FlightError('unimplemented', `unsupported action ${JSON.stringify(type)}, or unreadable body`, {
        hint: `use ${sqlActions.map((action) => action.type).join(' or ')}`,
      });
    }
  }

  private async prepare({ value }: SqlMessage, context: CallContext): Promise<Uint8Array> {
    const statement = await this.describe(value, context);
    const { columns, parameterTypeIds } = statement.shape;
    const result = encodePreparedStatement({
      handle: this.sealed.seal(statement, context.user),
      datasetSchema: encodeSchemaMessage(schemaOf(columns)),
      parameterSchema:
        parameterTypeIds.length > 0 ? encodeSchemaMessage(parameterSchema(parameterTypeIds)) : new Uint8Array(0),
    });
    return encodeSqlMessage({ type: 'ActionCreatePreparedStatementResult', value: result });
  }

  /** The result schema of a command, and the ticket for the result. */
  private async flightOf(command: SqlMessage, context: CallContext): Promise<{ schema: Schema; ticket: SqlMessage }> {
    const { type, value } = command;
    if (type === 'CommandStatementQuery') {
      const statement = await this.describe(value, context);
      return {
        schema: schemaOf(statement.shape.columns),
        ticket: ticketFor(this.sealed.seal(statement, context.user)),
      };
    }
    if (type === 'CommandPreparedStatementQuery') {
      const handle = decodeSingleBytes(value);
      return { schema: schemaOf(this.sealed.open(handle, context.user).shape.columns), ticket: ticketFor(handle) };
    }
    if (type === 'CommandGetSqlInfo') return { schema: infoSchema, ticket: command };
    return { schema: (cataloguePart(type, value) ?? refuse(type)).schema, ticket: command };
  }

  private async describe(message: Uint8Array, { signal }: CallContext): Promise<SealedStatement> {
    const { query, transaction } = decodeQueryText(message);
    if (transaction.length > 0)
      throw new FlightError('unimplemented', 'transactions are not supported: each query is one');
    if (query.length > maxCharacters) {
      throw new FlightError(
        'invalid-argument',
        `query too long: got ${query.length} characters, expected at most ${maxCharacters}`,
      );
    }
    return { text: query, shape: await this.source.describe(query, signal) };
  }
}

function ticketFor(handle: Uint8Array): SqlMessage {
  return { type: 'TicketStatementQuery', value: encodeSingleBytes(handle) };
}

async function* translated({ row }: CataloguePart, chunks: Awaited<ReturnType<SqlSource['run']>>['rows']) {
  for await (const rows of chunks) yield rows.map(row);
}

/** @throws FlightError */
function refuse(type: string): never {
  if (/Update$|Ingest$/.test(type))
    throw new FlightError('permission-denied', `${type} changes data, and this server is read-only`);
  throw new FlightError('unimplemented', `unsupported Flight SQL command ${type}`, {
    hint: 'use a direct or prepared query, GetSqlInfo, GetCatalogs, GetDbSchemas, GetTables or GetTableTypes',
  });
}
