/** `--gpx`: recorded tracks for a stream experiment, as a choice for its file. */
import { resolve } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import { Option } from 'commander';
import type { StudyOptions } from './study-options.ts';

export interface TrackFlags {
  gpx?: string[];
}

/** The files replace the points of the experiment, and so their number: no factor varies it. */
export const recordedTracks: StudyOptions<TrackFlags> = {
  section: 'stream',
  example: 'stream-small',
  options: () => [
    new Option(
      '--gpx <files...>',
      'take the points of these GPX files; all of them, unless --set points=N limits them',
    ),
  ],
  given: ({ gpx }) => (gpx ? ['--gpx'] : []),
  choices(set, { gpx }) {
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
