/** Estimates the time of a transfer from rates of a typical server with two cores; the error is a factor of two. */
import type { RepetitionSize } from '@topo-bench/measured';
import type { TransferTrial } from './parts.ts';
import { bytesPerRow } from './served-table.ts';

const bytesPerSecond = 800e6;
/** JSON is bound by rows, not by bytes. */
const jsonRowsPerSecond = 300_000;

/** A transfer has no fixed duration; its timeout limits the excess. Its streams warm up without requests. */
export function repetitionSize(cell: TransferTrial): Partial<RepetitionSize> {
  const { flight } = cell.settings;
  return { durationUs: transferSeconds(cell) * 1e6, drainUs: flight?.timeout ?? 0, warmupRequests: 0 };
}

function transferSeconds({ settings: { flight }, graph }: TransferTrial): number {
  const table = graph.services.find(({ arrow }) => arrow?.flight)?.arrow;
  if (!flight || !table) return 0;
  const rows = flight.rows * flight.streams;
  const isColumns = flight.protocol === 'flight' || flight.protocol === 'arrow';
  return isColumns ? (rows * bytesPerRow(table)) / bytesPerSecond : rows / jsonRowsPerSecond;
}
