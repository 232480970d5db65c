/** The error for bytes that are not PostgreSQL's binary format. */
import { TopoBenchError } from '@topo-bench/core';

export function damagedStream(finding: string): TopoBenchError {
  return new TopoBenchError('TB_SOURCE_DAMAGED', `binary COPY of PostgreSQL: ${finding}`, {
    hint: 'connect to the server directly: a proxy or another product may change the format',
  });
}
