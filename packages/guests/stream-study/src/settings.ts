/** Checks of a stream experiment: settings that contradict each other. */

import type { TopoBenchError } from '@topo-bench/core';
import { addressOfGrid } from '@topo-bench/stores/hazelcast/grid-address';
import { checkKeptRequests } from '@topo-bench/study-kit/kept-requests';
import type { Study } from '@topo-bench/trial';
import { tracksOf } from './input/recorded-tracks.ts';
import { elementsOf, rateOf, reads, sizeOf } from './jobs/job-size.ts';
import type { StreamTrial } from './parts.ts';
import type { Stream } from './settings-schema.ts';

/** Entries of a `Map`, in which the oracle of copies keeps them. */
const maxCheckedEntries = 2 ** 24 - 1;

export const check: Study['check'] = (cells, locate) => {
  const [{ settings }] = cells as [StreamTrial];
  const isKept = cells.some(({ settings: { deploy } }) => deploy !== 'fresh');
  const problem = (path: string[], message: string, hint: string) => ({
    ...locate(path),
    code: 'TB_EXPERIMENT_STREAM' as const,
    message,
    hint,
  });
  const streams = cells.map(({ settings: { stream } }: StreamTrial) => stream as Stream);
  const tooMany = streams.find(({ job, entries }) => job === 'copy' && entries > maxCheckedEntries);
  const tooShort = streams.find(
    (stream) =>
      stream.killAfter !== undefined &&
      !reads(stream.job) &&
      (sizeOf(stream) / rateOf(stream)) * 1e6 < minKilledShare * stream.killAfter,
  );
  const fractions = new Map(streams.filter(({ engine }) => engine === 'flink').flatMap(fractionsOf));
  const addressProblem = streams.map(({ gridUrl }) => gridUrlProblem(gridUrl)).find((one) => one !== undefined);
  const killsBehindGrid = streams.some(
    ({ job, killAfter, grid }) => killAfter !== undefined && grid !== 'none' && !reads(job),
  );
  return [
    ...checkKeptRequests(settings, 'stream', locate(['keepRequests'])),
    ...(isKept
      ? [
          problem(
            ['deploy'],
            'an experiment with `stream` starts its processor for every repetition',
            'use `deploy: fresh`, the default',
          ),
        ]
      : []),
    ...(tooMany
      ? [
          problem(
            ['stream', 'entries'],
            `entries of a copy: got ${tooMany.entries}, expected ${maxCheckedEntries} or fewer, which the check holds`,
            'use fewer entries',
          ),
        ]
      : []),
    ...checkTracks(cells).map(({ field, message, hint }) => problem(['stream', field], message, hint)),
    ...(tooShort
      ? [
          problem(
            ['stream', 'killAfter'],
            `the job of ${sizeOf(tooShort)} ${elementsOf(tooShort.job)} ends soon after \`killAfter\`, or before it`,
            'raise `points` or `entries`, or lower `killAfter` or `rate`',
          ),
        ]
      : []),
    ...[...fractions].map(([field, us]) =>
      problem(
        ['stream', field],
        `\`${field}\` on Flink: got ${us / 1e3}ms, expected whole milliseconds`,
        'use whole milliseconds, or `engine: embedded`',
      ),
    ),
    ...(addressProblem ? [problem(['stream', 'gridUrl'], addressProblem.message, addressProblem.hint as string)] : []),
    ...(killsBehindGrid
      ? [
          problem(
            ['stream', 'killAfter'],
            '`killAfter` does not go together with `grid: hazelcast`: the killed job would write without the grid',
            'leave out `killAfter`, or set `grid: none`',
          ),
        ]
      : []),
  ];
};

/** Tracks give `generate` as many points as a run wants, or fewer would be measured than its tables name. */
function checkTracks(cells: readonly StreamTrial[]): { field: string; message: string; hint: string }[] {
  const recorded = cells.filter(({ settings: { stream } }) => stream?.gpx !== undefined);
  const [first] = recorded;
  if (!first) return [];
  const generating = recorded.filter(({ settings: { stream } }) => stream?.job === 'generate');
  if (generating.length === 0) {
    const message = '`gpx` has points of `generate`, and no cell has this job';
    return [{ field: 'gpx', message, hint: 'leave out `gpx`, or use `job: generate`' }];
  }
  const { paths = [], points: available = 0 } = tracksOf(first) ?? {};
  const isRead = ({ settings: { stream } }: StreamTrial): boolean => stream?.gpx?.join() === paths.join();
  if (!recorded.every(isRead)) {
    const message = '`gpx` is the same for all cells: its files are read once for a run';
    return [{ field: 'gpx', message, hint: 'leave it out of `factors`' }];
  }
  const max = Math.max(...generating.map(({ settings: { stream } }) => stream?.points ?? 0));
  if (max <= available) return [];
  const message = `points: got ${max}, expected ${available} or fewer, as the GPX files have`;
  return [{ field: 'points', message, hint: 'lower `points`, leave it out to use all, or name more files' }];
}

/** The schedule of a job that is killed takes at least this many times as long as the time until then. */
const minKilledShare = 1.5;

/** Flink has times of whole milliseconds. */
function fractionsOf({ windows, outOfOrder, checkpointEvery }: Stream): [field: string, us: number][] {
  const times = { ...(windows !== 'none' && { windows, outOfOrder }), checkpointEvery };
  return Object.entries(times).filter(([, us]) => us % 1000 !== 0);
}

/** Found here too, because a run is stored with its file: an address has no user and password. */
function gridUrlProblem(gridUrl: string | undefined): TopoBenchError | undefined {
  if (gridUrl === undefined) return undefined;
  try {
    addressOfGrid(gridUrl);
    return undefined;
  } catch (error) {
    return error as TopoBenchError;
  }
}
