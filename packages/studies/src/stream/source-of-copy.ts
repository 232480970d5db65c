/** The server that a copy reads from. */
import type { Stream } from '@topo-bench/core/schema/stream';
import type { StudyServerFields } from '../study-servers.ts';

export const sourceEngine = 'postgresql' as const;

/** The server of the target, if it is the same engine. */
export function sourceOf({ database, url, image }: Pick<Stream, 'database' | 'url' | 'image'>): StudyServerFields {
  return database === sourceEngine ? { engine: sourceEngine, url, image } : { engine: sourceEngine };
}
