/** `--gpx`: recorded tracks for a stream experiment, as a choice for its file. */
import { resolve } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import type { Choices } from '@topo-bench/experiment/read-inputs';
import { parseSource, type SourceText } from '@topo-bench/topology';
import { Option } from 'commander';

export interface TrackFlags {
  gpx?: string[];
}

export function trackOption(): Option {
  return new Option(
    '--gpx <files...>',
    'take the points of these GPX files; all of them, unless --set points=N limits them',
  );
}

/**
 * The files replace the points of the experiment, and so their number: no factor varies it.
 * @throws TopoBenchError `TB_USAGE` for files that --set names as well
 */
export function trackChoices(set: NonNullable<Choices['set']>, { gpx }: TrackFlags): Choices {
  if (gpx === undefined) return {};
  if ('stream.gpx' in set) {
    throw new TopoBenchError('TB_USAGE', '--gpx names the tracks of the run: got --set stream.gpx=… as well', {
      hint: 'leave out one of them',
    });
  }
  // A resumed run may have another working directory.
  return { set: { 'stream.gpx': gpx.map((file) => resolve(file)) }, without: ['points'] };
}

/** @throws TopoBenchError `TB_USAGE` for the flag, and an experiment without a stream job */
export function requireStreamFor({ gpx }: TrackFlags, experiment: SourceText): void {
  const { value } = parseSource(experiment);
  if (gpx === undefined || typeof value !== 'object' || value === null || 'stream' in value) return;
  const message = `--gpx needs an experiment with \`stream\`: got ${experiment.file}, which has none`;
  throw new TopoBenchError('TB_USAGE', message, { hint: 'e.g. topo-bench run stream-small --gpx …' });
}
