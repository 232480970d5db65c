/** How long a transfer will take, for the estimate of a run: rates of an ordinary server with two cores, good to a factor of two. */
import type { ExperimentCell } from '../build-cell.ts';
import { bytesPerRow } from './served-table.ts';

const bytesPerSecond = 800e6;
/** JSON is bound by rows, not by bytes. */
const jsonRowsPerSecond = 300_000;

/** Seconds of the transfer alone; 0 where the cell moves no table. */
export function transferSeconds({ settings: { flight }, graph }: ExperimentCell): number {
  const table = graph.services.find(({ arrow }) => arrow?.flight)?.arrow;
  if (!flight || !table) return 0;
  const rows = flight.rows * flight.streams;
  const isColumns = flight.protocol === 'flight' || flight.protocol === 'arrow';
  return isColumns ? (rows * bytesPerRow(table)) / bytesPerSecond : rows / jsonRowsPerSecond;
}
