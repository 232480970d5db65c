/** Checks of the experiment and topology of a transfer study: one service with a table, and consistent settings. */
import type { Problem, SourceLocation } from '@topo-bench/core';
import type { ArrowFlight } from '@topo-bench/core/schema/arrow';
import { checkKeptRequests } from '@topo-bench/study-kit/kept-requests';
import type { Graph } from '@topo-bench/topology';
import type { Study } from '@topo-bench/trial';
import type { TransferExperiment, TransferTrial } from './parts.ts';
import { checkPyarrow } from './pyarrow/check-pyarrow.ts';

export const check: Study['check'] = (cells, locate) => {
  const [{ settings }] = cells as [TransferTrial];
  return [
    ...checkKeptRequests(settings, 'flight', locate(['keepRequests'])),
    ...cells.flatMap((cell) => checkTransfer(cell.settings, cell.graph, locate(['flight']))),
    ...cells.flatMap((cell) => checkPyarrow(cell, locate(['flight', 'server']))),
  ];
};

/**
 * @param settings of a cell
 * @param place of the experiment's field `flight`
 */
function checkTransfer({ flight, load }: TransferExperiment, { services }: Graph, place: SourceLocation): Problem[] {
  if (!flight) return [];
  const problem = (message: string, hint: string): Problem[] => [
    { ...place, code: 'TB_EXPERIMENT_TRANSFER', message, hint },
  ];
  if (load.driver !== 'flight') {
    return problem(
      `\`flight\` is moved by the driver \`flight\`, not by \`${load.driver}\``,
      'set `load: { driver: flight }`',
    );
  }
  if (flight.operation !== 'get' && flight.protocol !== 'flight') {
    return problem(
      `rows go to a service over Flight alone, not over \`${flight.protocol}\``,
      `leave \`${flight.operation}\` or the protocol out`,
    );
  }
  const served = services.flatMap(({ name, arrow }) => (arrow?.flight ? [{ name, access: arrow.flight }] : []));
  const names = served.map(({ name }) => name);
  const [one] = served;
  if (one && names.length === 1) return checkAccess(flight, one, place);
  const found = names.length === 0 ? 'none' : names.join(', ');
  const message = `a transfer needs the one service with \`arrow.flight\`, and the topology has ${found}`;
  return [{ ...place, code: 'TB_EXPERIMENT_NO_FLIGHT', message, hint: 'give one service `arrow: { flight: {} }`' }];
}

/** Checks the access of the load, as far as it is known from the files. */
function checkAccess(
  { protocol, client = {} }: NonNullable<TransferExperiment['flight']>,
  { name, access: { login, tls } }: { name: string; access: ArrowFlight },
  place: SourceLocation,
): Problem[] {
  const problem = (message: string, hint: string): Problem => ({
    ...place,
    code: 'TB_EXPERIMENT_TRANSFER',
    message,
    hint,
  });
  const { login: ofClient, ...certificates } = client;
  const problems: Problem[] = [];
  if (ofClient && !login) {
    problems.push(
      problem(
        `\`client.login\` logs in, and the service "${name}" has no login`,
        'give the service a `login`, or leave it out',
      ),
    );
  }
  const [named] = Object.keys(certificates);
  if (named !== undefined && !tls) {
    problems.push(
      problem(
        `\`client.${named}\` is for TLS, and the service "${name}" has none`,
        'give the service `tls`, or leave it out',
      ),
    );
  }
  if (protocol === 'flight' && tls?.enabled && tls.clientCa !== undefined && client.certificate === undefined) {
    const message = `the service "${name}" serves only clients with a certificate of ${tls.clientCa}, and the load has none`;
    problems.push(problem(message, 'name its PEM files in `flight: { client: { certificate: …, key: … } }`'));
  }
  const skipped = [...(login ? ['login'] : []), ...(tls?.enabled ? ['tls'] : [])]
    .map((field) => `\`${field}\``)
    .join(' and ');
  if (protocol !== 'flight' && skipped !== '') {
    const message = `over \`${protocol}\` the table of the service "${name}" is read from \`GET /arrow\`, without its ${skipped}`;
    problems.push({
      ...problem(message, 'they are for Flight alone; compare with cells over Flight that have none either'),
      severity: 'warning',
    });
  }
  return problems;
}
