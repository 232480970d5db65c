/** The recorded tracks of a run: read once, and kept in a file for the processors of all repetitions. */
import { join } from 'node:path';
import { systemErrorText, TopoBenchError } from '@topo-bench/core';
import type { GpsPoints } from '@topo-bench/streams/tracks';
import { FileFolder } from '@topo-bench/study-kit/file-folder';
import type { StreamTrial } from '../parts.ts';
import { writePoints } from './points-file.ts';
import { type RecordedTracks, tracksOf } from './recorded-tracks.ts';

export interface PointsOfRun {
  all: GpsPoints;
  /** Written by `writePoints`. */
  file: string;
}

export class TracksOfRun {
  readonly #folder = new FileFolder();
  #points: Promise<PointsOfRun> | undefined;

  /**
   * Tracks are no factor: all cells have the same.
   * @returns undefined for drawn points
   * @throws TopoBenchError what `RecordedTracks.read` throws, and `TB_FILE_NOT_WRITABLE`
   */
  async of(cell: StreamTrial): Promise<PointsOfRun | undefined> {
    const tracks = tracksOf(cell);
    if (!tracks || cell.settings.stream?.job !== 'generate') return undefined;
    this.#points ??= this.#read(tracks);
    return this.#points;
  }

  async close(): Promise<void> {
    await this.#folder.remove();
  }

  async #read(tracks: RecordedTracks): Promise<PointsOfRun> {
    const all = await tracks.read();
    try {
      const file = join(await this.#folder.path(), 'points');
      await writePoints(file, all);
      return { all, file };
    } catch (cause) {
      const message = `cannot write the points of the tracks to a temporary file: ${systemErrorText(cause)}`;
      throw new TopoBenchError('TB_FILE_NOT_WRITABLE', message, {
        hint: 'name a folder with space in the variable TMPDIR',
        cause,
      });
    }
  }
}

const shownNames = 3;

/** The files of a cell in a few words: `a.gpx, b.gpx`. */
export function tracksText({ paths }: RecordedTracks): string {
  const names = paths.slice(0, shownNames).map((path) => path.replace(/^.*[/\\]/, ''));
  const more = paths.length - names.length;
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
