/** Opens the path of a variant; each loads its own code. */
import { TopoBenchError } from '@topo-bench/core';
import type { ClientJob } from '../messages.ts';
import type { ReadPath } from '../read-path.ts';

/** @throws TopoBenchError what the path throws */
export async function openPath(job: ClientJob): Promise<ReadPath> {
  const { variant } = job.settings;
  if (variant.startsWith('connector-')) return (await import('./connector.ts')).openConnector(job);
  if (variant.startsWith('flight-')) return (await import('./flight.ts')).openFlight(job);
  if (variant.startsWith('columnar-')) return (await import('./columnar-flight.ts')).openColumnarFlight(job);
  if (variant === 'native') return (await import('./native.ts')).openNative(job);
  if (variant === 'columnar') return (await import('./columnar.ts')).openColumnar(job);
  throw new TopoBenchError('TB_INTERNAL', `the client has no path ${variant}`);
}
