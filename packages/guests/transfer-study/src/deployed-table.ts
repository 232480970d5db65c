/** The table of a transfer with what its deployment gave it: role, seed, keys, rules, and how the load gets in. */
import { type DeploymentDocuments, TopoBenchError } from '@topo-bench/core';
import type { ArrowService } from '@topo-bench/core/schema/arrow';
import type { FlightAccess } from '@topo-bench/loadgen/flight/flight-access';
import type { DeployedRole, Deployment } from '@topo-bench/runners';
import { flightAccess } from './access.ts';
import type { TransferExperiment } from './parts.ts';

export interface ServedTable {
  role: DeployedRole & { flightUrl: string };
  table: ArrowService;
  /** Seed of the table. */
  seed: number;
  /** Number of rules for the service; undefined without enforcement. */
  rules: number | undefined;
  /** Columns that these rules may pseudonymise. */
  textColumns: string[];
  pseudonymKey: string;
  digestKey: string;
  clientToken: string;
}

/** @throws TopoBenchError `TB_INTERNAL` when no role serves columns over Flight */
export function servedTable({ roles }: Deployment, documents: DeploymentDocuments): ServedTable {
  for (const { config, secrets } of documents.roles) {
    const { name, arrow, seed } = config;
    const { pseudonymKey, digestKey, clientToken } = secrets;
    const role = roles.find((one) => one.name === name);
    if (!arrow?.table.flight || !role?.flightUrl) continue;
    const rules = arrow.rules?.rules;
    const pointers = rules?.flatMap(({ pseudonymise }) => pseudonymise) ?? [];
    return {
      role: { ...role, flightUrl: role.flightUrl },
      table: arrow.table,
      seed,
      rules: rules?.length,
      textColumns: [...new Set(pointers.map((pointer) => pointer.slice(1)))],
      pseudonymKey,
      digestKey,
      clientToken,
    };
  }
  throw new TopoBenchError('TB_INTERNAL', 'no service of the topology serves columns over Flight');
}

/** Credentials of the load; undefined where no log-in is needed. */
export function loadAccess(
  flight: NonNullable<TransferExperiment['flight']>,
  { table, clientToken }: ServedTable,
): FlightAccess | undefined {
  return table.flight && withToken(flightAccess(flight, table.flight), table, clientToken);
}

/** Adds the token of clients, unless the service is open. */
export function withToken(
  access: FlightAccess | undefined,
  { open }: ArrowService,
  token: string,
): FlightAccess | undefined {
  return open ? access : { ...access, token };
}
