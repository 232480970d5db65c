/** The table of a transfer: the rows of all streams together, in batches of the requested size. */
import type { ArrowService } from '@topo-bench/core/schema/arrow';
import type { Graph } from '@topo-bench/topology';
import type { TransferExperiment } from './parts.ts';

type Transfer = NonNullable<TransferExperiment['flight']>;

/** The graph with the table of every service over Flight in the size of the transfer. */
export function withTransferTable(graph: Graph, transfer: Transfer): Graph {
  const services = graph.services.map((service) => {
    const { arrow } = service;
    return arrow?.flight
      ? { ...service, arrow: { ...arrow, rows: tableRows(transfer), batchRows: transfer.batchRows } }
      : service;
  });
  return { ...graph, services };
}

/** Over HTTP each stream reads the whole table: it has no parts there. */
function tableRows({ protocol, streams, rows }: Transfer): number {
  return protocol === 'flight' ? rows * streams : rows;
}

/** Approximate bytes of a row in Arrow's buffers. */
export function bytesPerRow({ columns }: ArrowService): number {
  return columns.reduce((sum, { type, size, values }) => {
    if (type === 'bool') return sum + 1 / 8;
    if (type === 'int32') return sum + 4;
    if (type === 'text') return sum + 4 + (values?.[0]?.length ?? size);
    if (type === 'texts') return sum + 4 + ((values ?? []).length / 2) * 12;
    return sum + 8;
  }, 0);
}
