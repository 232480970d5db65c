/** Adds Flight SQL to a Flight service: SQL commands, tickets and actions go to `sql`, all others to the service. */
import { FlightError, type FlightService } from '@topo-bench/arrow-flight';
import { decodeSqlMessage, type SqlMessage } from '@topo-bench/arrow-flight/sql';
import { type SqlFlights, sqlActions } from './sql-flights.ts';

export function withSql(service: FlightService, sql: SqlFlights): FlightService {
  const commandOf = ({ command }: { command?: Uint8Array | undefined }): SqlMessage | undefined =>
    command && decodeSqlMessage(command);
  return {
    ...service,
    getFlightInfo(descriptor, context) {
      const command = commandOf(descriptor);
      if (command) return sql.info(command, descriptor, context);
      return service.getFlightInfo?.(descriptor, context) ?? noFlight();
    },
    getSchema(descriptor, context) {
      const command = commandOf(descriptor);
      return command ? sql.schema(command, context) : (service.getSchema?.(descriptor, context) ?? noFlight());
    },
    doGet(ticket, context) {
      const message = decodeSqlMessage(ticket);
      return message ? sql.stream(message, context) : (service.doGet?.(ticket, context) ?? noFlight());
    },
    async doPut(upload, context) {
      const command = commandOf(upload.descriptor);
      await (command ? sql.bind(command, upload, context) : (service.doPut?.(upload, context) ?? noFlight()));
    },
    doAction: (action, context) => sql.act(action, context),
    listActions: () => sqlActions,
  };
}

function noFlight(): never {
  throw new FlightError('unimplemented', 'expected a command of Flight SQL');
}
