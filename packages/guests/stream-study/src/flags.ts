/** `--gpx`: recorded tracks for a stream experiment, as a choice for its file; and the address of a Flink cluster. */
import { resolve } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import type { StudyFlags } from '@topo-bench/study-kit/study-flags';

/** The files replace the points of the experiment, and so their number: no factor varies it. */
export const streamFlags: StudyFlags = {
  section: 'stream',
  example: 'stream-small',
  examples: [['stream-small --gpx tracks/*.gpx', 'a stream job on recorded tracks']],
  flags: [
    {
      flag: '--gpx <files...>',
      description: 'take the points of these GPX files; all of them, unless --set points=N limits them',
    },
  ],
  servers: [
    {
      flag: '--flink-url <url>',
      description: 'run stream jobs with `engine: flink` on this Flink cluster, e.g. http://127.0.0.1:8081',
    },
  ],
  choices(set, given) {
    const gpx = given.gpx as string[] | undefined;
    if (gpx === undefined) return {};
    if ('stream.gpx' in set) {
      throw new TopoBenchError('TB_USAGE', '--gpx names the tracks of the run: got --set stream.gpx=… as well', {
        hint: 'leave out one of them',
      });
    }
    // A resumed run may have another working directory.
    return { set: { 'stream.gpx': gpx.map((file) => resolve(file)) }, without: ['points'] };
  },
};
