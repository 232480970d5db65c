/** The server that a copy reads from. */

import type { StudyServerFields } from '@topo-bench/study-kit/study-servers';
import type { Stream } from './settings-schema.ts';

export const sourceEngine = 'postgresql' as const;

/** The server of the target, if it is the same engine. */
export function sourceOf({ database, url, image }: Pick<Stream, 'database' | 'url' | 'image'>): StudyServerFields {
  return database === sourceEngine ? { engine: sourceEngine, url, image } : { engine: sourceEngine };
}
