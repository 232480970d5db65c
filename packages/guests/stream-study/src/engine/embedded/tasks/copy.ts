/** Heat-map copy: an existing heat map is read page by page, and its entries are written to another one. */
import { openReader } from '@topo-bench/stores/heat-map';
import { heatMapSource } from '@topo-bench/streams';
import { heatMapEntries } from '@topo-bench/streams/map';
import type { EngineSettings } from '../../job.ts';
import type { Task, Waits } from './task.ts';
import { WritingTask } from './writing-task.ts';

export async function copyTask(settings: EngineSettings, waits: Waits): Promise<Task> {
  const { seed, entries: count, source } = settings;
  if (!source) throw new Error('a copy needs a source');
  const reader = await openReader({ ...source, timeoutMs: settings.timeoutMs });
  if (!reader) throw new Error(`${source.engine} is no source of copies`);
  // Only the times are kept; entries come from the reader.
  const { timesMs } = heatMapEntries({ seed, count });
  return new WritingTask(
    settings,
    waits,
    timesMs,
    (length) => heatMapSource(reader, length),
    () => reader.close(),
  );
}
